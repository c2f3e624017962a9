import { currentGrant, hasAll, mayNow, withoutHidden, type Needs, type PanelValue } from '#panel-kit';
import { grantAllows, type Permission } from '#tenancy';
import type { StartPageEvent, StartPageView } from '../start-page/start-page.js';
import type { Takings } from '../start-page/takings.reader.js';
import { welcomeNeeds } from './path-rights.js';

/** What each part of the start page needs, and what is there without it. A part without a line does not compile. */
const parts: { readonly [Part in keyof StartPageView]: { readonly needs: Needs; readonly without: StartPageView[Part] } | 'see' } = {
  kind: 'see',
  publicHref: 'see',
  now: 'see',
  welcome: { needs: welcomeNeeds, without: null },
  stepsHref: { needs: welcomeNeeds, without: null },
  events: { needs: 'event.see', without: [] },
  next: { needs: 'event.see', without: null },
  upcoming: { needs: 'event.see', without: null },
  scans: { needs: ['door.follow', 'ticket.see'], without: null },
  refused: { needs: 'door.follow', without: 0 },
  sellHref: { needs: ['reservation.sell', 'money.see', 'contact.see'], without: null },
  mail: { needs: ['mail.see', 'contact.see'], without: null },
  refunds: { needs: ['refund.see', 'money.see'], without: null },
  wallet: { needs: 'profile.see', without: null },
  webhooks: { needs: 'webhook.see', without: [] },
};

/** Parts about all events; others are about one. */
const ofEvents: ReadonlySet<string> = new Set<keyof StartPageView>(['kind', 'now', 'events', 'next', 'upcoming']);

/** The start page as the signed-in person may see it. */
export function allowedStartPage(view: StartPageView): StartPageView {
  const grant = currentGrant();
  if (hasAll(grant)) return view;
  const isScoped = grant.scope.kind !== 'all';
  const fields = Object.entries(parts).map(([part, rule]) => {
    const shown = rule === 'see' || (mayNow(rule.needs, grant) && (!isScoped || ofEvents.has(part)));
    return [part, shown ? view[part as keyof StartPageView] : rule.without];
  });
  const allowed = Object.fromEntries(fields) as StartPageView;
  const ours = (events: readonly StartPageEvent[]): StartPageEvent[] =>
    events.filter(({ id }) => grantAllows(grant, 'event.see', id)).map(eventPart);
  const kept: StartPageView = {
    ...allowed,
    events: ours(allowed.events),
    next: (allowed.next && ours([allowed.next])[0]) ?? null,
    upcoming: allowed.upcoming && ours(allowed.upcoming),
  };
  // Names of holders and members fall back to addresses.
  return withoutHidden(JSON.parse(JSON.stringify(kept)) as PanelValue, grant) as unknown as StartPageView;
}

/** An event without what the person may not see or open. */
function eventPart({ sellHref, doorHref, unbookable, takings, ...event }: StartPageEvent): StartPageEvent {
  const isScoped = currentGrant().scope.kind !== 'all';
  const has = (permission: Permission): boolean => mayNow(permission);
  const counts = has('figures.see') ? {} : { sold: 0, admitted: 0, inside: 0, sharedLeft: null };
  return {
    ...event,
    ...counts,
    ...(isScoped && { sharedLeft: null }),
    ...(sellHref && !isScoped && mayNow(['reservation.sell', 'money.see', 'contact.see']) && { sellHref }),
    ...(doorHref && !isScoped && has('door.follow') && { doorHref }),
    ...(takings && has('money.see') && { takings: takingsPart(takings) }),
    ...(unbookable && !isScoped && has('event.change') && has('product.change') && { unbookable }),
  };
}

/** The list of payments has a right of its own. */
const takingsPart = ({ href, ...takings }: Takings): Takings => ({ ...takings, ...(href && mayNow('payment.see') && { href }) });
