// The page in other languages than English. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { openPage, run } from './browser.mjs';

const lang = (page) => page.evaluate(() => document.documentElement.lang);

await run({
  async 'an Italian browser gets the page in Italian, any other in English'(host) {
    for (const [locale, language, name] of [
      ['it-IT', 'it', 'Esercizi'],
      ['de-AT', 'en', 'Problems'],
    ]) {
      const { page, close } = await openPage(host, { locale });
      await page.getByRole('navigation').getByRole('button', { name, exact: true }).waitFor();
      assert.equal(await lang(page), language);
      await close();
    }
  },
});
