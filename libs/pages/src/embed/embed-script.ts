import { readFileSync } from 'node:fs';
import { alterationStates, eventAlterations, type EventAlteration } from '#catalogue';
import { clockOf, currentLanguage, type Language, inkOn, localeOf, usualAccent, type Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import { type Venue, pageWords, sitesOf } from '#page-kit';
import { embedWords } from './embed.words.js';

/** Without comments and indentation, which readers need not load. */
const source = readFileSync(new URL('../assets/embed.js', import.meta.url), 'utf8')
  .replaceAll(/^ *(?:\/\/|\/\*\*).*\n/gm, '')
  .replaceAll(/^ +/gm, '');

/** The script with the address, language and allowed sites of a tenant. */
export function embedScript(tenant: TenantIdentity, venue: Venue, settings: Settings): string {
  const language = currentLanguage();
  const { cancelledShort: cancelled, soldOut, empty, backToAgenda: all, membersOnly: members } = pageWords[language];
  const accent = venue.accentColour ?? usualAccent;
  const guichet = {
    origin: tenantUrl(settings, tenant, ''),
    sites: sitesOf(venue),
    accent,
    accentInk: inkOn(accent),
    corner: venue.corners === 'round' ? '10px' : '2px',
    words: {
      ...embedWords[language],
      states: statesIn(language),
      newTime: alterationStates(language).newTime,
      cancelled,
      soldOut,
      empty,
      all,
      members,
    },
    locale: localeOf(language),
    clock: clockOf(language),
    timeZone: tenant.timeZone,
  };
  return `((guichet) => {\n${source}})(${JSON.stringify(guichet)});\n`;
}

/** The words for each `eventStatus` that alters an event. */
function statesIn(language: Language): Record<string, string> {
  const alterations = Object.entries(eventAlterations) as [EventAlteration, string][];
  return Object.fromEntries(alterations.map(([alteration, status]) => [status, alterationStates(language)[alteration]]));
}
