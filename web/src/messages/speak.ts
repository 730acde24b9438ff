// Changing the language.
import { spoken } from './catalogue';
import { LANGUAGES, type Language, messagesOf } from './languages';

let wanted: Language = 'en';

/** Changes the language as soon as its messages are here. Without them all goes on as before. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  try {
    const messages = await messagesOf(language);
    if (wanted === language) spoken.value = { language, forms: LANGUAGES[language].forms, messages };
  } catch (error) {
    console.warn(`no messages in ${language}`, error);
  }
}
