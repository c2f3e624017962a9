import { currentGrant, hasAll, mayNow, withoutHidden, type Needs, type PanelValue } from '#panel-kit';
import { grantAllows, type Permission } from '#tenancy';
import type { OwnEvent, StartPageEvent, StartPageView } from '../start-page/start-page.js';
import { welcomeNeeds } from './path-rights.js';

/** What each part of the start page needs, and what is there without it. A part without a line does not compile. */
const parts: { readonly [Part in keyof StartPageView]: { readonly needs: Needs; readonly without: StartPageView[Part] } | 'see' } = {
  kind: 'see',
  own: { needs: 'event.see', without: null },
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
  wallet: { needs: 'profile.change', without: null },
  webhooks: { needs: 'webhook.see', without: [] },
};

/** Parts for people whose right is about some events; the others are about all. */
const ofChosen: ReadonlySet<string> = new Set<keyof StartPageView>(['kind', 'now', 'own']);

/** The start page as the signed-in person may see it. */
export function allowedStartPage(view: StartPageView): StartPageView {
  const grant = currentGrant();
  if (hasAll(grant)) return view;
  const isScoped = grant.scope.kind !== 'all';
  const fields = Object.entries(parts).map(([part, rule]) => {
    const shown = isScoped ? ofChosen.has(part) : rule === 'see' || mayNow(rule.needs, grant);
    return [part, shown ? view[part as keyof StartPageView] : rule === 'see' ? null : rule.without];
  });
  const allowed = Object.fromEntries(fields) as StartPageView;
  const kept: StartPageView = {
    ...allowed,
    own:
      (mayNow('event.see', grant) ? allowed.own : null)?.filter(({ id }) => grantAllows(grant, 'event.see', id)).map(ownPart) ??
      (isScoped ? [] : null),
    events: allowed.events.map(eventPart),
    next: allowed.next && eventPart(allowed.next),
    upcoming: allowed.upcoming && allowed.upcoming.map(eventPart),
  };
  // Names of holders and members fall back to addresses.
  return withoutHidden(JSON.parse(JSON.stringify(kept)) as PanelValue, grant) as unknown as StartPageView;
}

/** Products and prices have a right of their own. */
const ownPart = ({ figures, ...event }: OwnEvent): OwnEvent => ({
  ...event,
  figures: figures && mayNow('figures.see') ? { ...figures, prices: mayNow('product.see') ? figures.prices : [] } : null,
});

/** An event without what the person may not see or open. */
function eventPart({ sellHref, doorHref, unbookable, takings, ...event }: StartPageEvent): StartPageEvent {
  const has = (permission: Permission): boolean => mayNow(permission);
  return {
    ...event,
    ...(has('figures.see') ? {} : { sold: 0, admitted: 0, inside: 0, sharedLeft: null }),
    ...(sellHref && mayNow(['reservation.sell', 'money.see', 'contact.see']) && { sellHref }),
    ...(doorHref && has('door.follow') && { doorHref }),
    ...(takings && mayNow(['payment.see', 'money.see']) && { takings }),
    ...(unbookable && has('event.change') && has('product.change') && { unbookable }),
  };
}
