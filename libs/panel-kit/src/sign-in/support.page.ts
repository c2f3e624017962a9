import { escapeHtml, type Language } from '#kernel';
import type { PlainPage } from './plain-page.js';

const words = {
  en: {
    title: 'Enter as support',
    lead: (place: string) => `You are about to enter the panel of ${place}.`,
    facts: (minutes: number) => [
      `The visit ends after ${minutes} minutes, or when you leave.`,
      'The place’s administrators see who entered, when and why, and what was looked at and changed.',
      'Keys, payment accounts, files of lists and printed tickets stay closed.',
    ],
    submit: 'Enter',
    spentTitle: 'This link does not work any more',
    spent: 'It works once, for two minutes, on the host of its place. Ask for a new one in Root’s panel.',
  },
  fr: {
    title: 'Entrer pour l’assistance',
    lead: (place: string) => `Vous allez entrer dans le panneau de ${place}.`,
    facts: (minutes: number) => [
      `La visite se termine après ${minutes} minutes, ou quand vous partez.`,
      'Les administrateurs du lieu voient qui est entré, quand et pourquoi, et ce qui a été consulté et modifié.',
      'Les clés, les comptes de paiement, les fichiers des listes et les billets imprimés restent fermés.',
    ],
    submit: 'Entrer',
    spentTitle: 'Ce lien ne fonctionne plus',
    spent: 'Il fonctionne une fois, pendant deux minutes, sur l’hôte de son lieu. Demandez-en un nouveau dans le panneau racine.',
  },
} as const;

/** The confirmation page before a support visit. Opening the link, as previews do, does not use up its token. */
export function enterPage(language: Language, view: { place: string; token: string; action: string; minutes: number }): PlainPage {
  const { title, lead, facts, submit } = words[language];
  const items = facts(view.minutes).map((fact) => `<li>${escapeHtml(fact)}</li>`);
  return {
    title,
    body: `<p class="gt-lead">${escapeHtml(lead(view.place))}</p>
<ul class="gt-facts">${items.join('')}</ul>
<form method="post" action="${escapeHtml(view.action)}">
<input type="hidden" name="token" value="${escapeHtml(view.token)}">
<button class="gt-button gt-button-wide" type="submit">${escapeHtml(submit)}</button>
</form>`,
  };
}

/** The page for a token that is invalid, used or expired. */
export function spentPage(language: Language): PlainPage {
  const { spentTitle, spent } = words[language];
  return { title: spentTitle, body: `<p class="gt-lead">${escapeHtml(spent)}</p>` };
}

const banners = {
  en: { title: 'Support visit', by: 'by', until: 'until', leave: 'Leave' },
  fr: { title: 'Visite de l’assistance', by: 'par', until: 'jusqu’à', leave: 'Quitter' },
} as const;

/** The banner on every page of a support visit. */
export function supportBanner(
  { operator, reason, endsAt }: { operator: string; reason: string; endsAt: string },
  language: Language,
  timeZone: string,
): { text: string; leave: string } {
  const { title, by, until, leave } = banners[language];
  const clock = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });
  return { text: `${title} ${by} ${operator}, ${until} ${clock.format(new Date(endsAt))}: ${reason}`, leave };
}
