import { currency, currentLanguage, folderTexts, moneyWords } from '#kernel';
import { pageDocument } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { PracticePage } from './practice-pages.js';
import words from './practice-pay.words.json' with { type: 'json' };

const texts = folderTexts(words);

/** Asks the buyer to pay, or to go back. */
export function practicePayPage({ amount, description, cancelUrl }: PracticePage): string {
  const language = currentLanguage();
  const tenant = currentTenant();
  const facts = [
    [texts.to, tenant.name],
    [texts.for, description],
    [texts.amount, moneyWords(amount, currency, language)],
  ] as const;
  const main = (
    <>
      <div class="page-head">
        <h1>{texts.title[language]}</h1>
        <p class="lead">{texts.lead[language]}</p>
      </div>
      <section class="part">
        <dl class="facts">
          {facts.map(([label, fact]) => (
            <div>
              <dt>{label[language]}</dt>
              <dd dir="auto">{fact}</dd>
            </div>
          ))}
        </dl>
        <form method="post">
          <div class="actions">
            <button class="button">{texts.pay[language]}</button>
            <a class="button other" href={cancelUrl}>
              {texts.cancel[language]}
            </a>
          </div>
        </form>
      </section>
    </>
  );
  return pageDocument({ tenant, language, title: `${texts.title[language]} · ${tenant.name}`, main, sheet: 'form' });
}
