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

  async 'the language is changed in the settings, at once, and is kept over a reload'(host) {
    const { page, close } = await openPage(host, { locale: 'en-GB' });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('it');
    await page.getByRole('heading', { name: 'Impostazioni' }).waitFor();
    assert.equal(await lang(page), 'it');
    await page.reload();
    await page.getByRole('button', { name: 'Impostazioni' }).click();
    await page.getByLabel('Lingua').selectOption('browser');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(await lang(page), 'en');
    await close();
  },
});
