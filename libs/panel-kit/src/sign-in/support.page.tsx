import { timeWords, type Language } from '#kernel';
import type { PlainPage } from './plain-page.js';
import { texts } from '../locales/panel-kit.texts.js';

const words = texts.perLanguage('support', ({ words, t, tree }) => ({
  ...words,
  lead: (place: string) => t('support.lead', { place }),
  facts: (minutes: number) => tree(words.facts, { minutes }),
}));

/** The confirmation page before a support visit. Opening the link, as previews do, does not use up its token. */
export function enterPage(language: Language, view: { place: string; token: string; action: string; minutes: number }): PlainPage {
  const { title, lead, facts, submit } = words[language];
  return {
    title,
    body: (
      <>
        <p class="gt-lead">{lead(view.place)}</p>
        <ul class="gt-facts">
          {facts(view.minutes).map((fact) => (
            <li>{fact}</li>
          ))}
        </ul>
        <form method="post" action={view.action}>
          <input type="hidden" name="token" value={view.token} />
          <button class="gt-button gt-button-wide" type="submit">
            {submit}
          </button>
        </form>
      </>
    ),
  };
}

/** The page for a token that is invalid, used or expired. */
export function spentPage(language: Language): PlainPage {
  const { spentTitle, spent } = words[language];
  return { title: spentTitle, body: <p class="gt-lead">{spent}</p> };
}

const banners = texts.perLanguage('support.banners', ({ words }) => words);

/** The banner on every page of a support visit. */
export function supportBanner(
  { operator, reason, endsAt }: { operator: string; reason: string; endsAt: string },
  language: Language,
  timeZone: string,
): { text: string; leave: string } {
  const { title, by, until, leave } = banners[language];
  return { text: `${title} ${by} ${operator}, ${until} ${timeWords(new Date(endsAt), language, timeZone)}: ${reason}`, leave };
}
