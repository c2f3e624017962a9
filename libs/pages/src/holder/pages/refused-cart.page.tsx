import type { RefusedCart } from '#selling';
import type { RefusedBooking } from '#tickets';
import { currentLanguage } from '#kernel';
import { hasModule, type TenantIdentity } from '#tenancy';
import { pageDocument, type Venue } from '#page-kit';
import type { VNode } from 'preact';
import { maximumWords } from '../../ticket-forms/booking.words.js';
import { holderWords } from './holder.words.js';
import { AccountLink } from './page-parts.js';

/**
 * What a link could not confirm, and a button to confirm what is left of a cart.
 * @param givenUp ids of parts that the buyer gave up before
 */
export function refusedCartPage(
  { gone, left }: RefusedCart,
  givenUp: readonly string[],
  { tenant, venue, path }: { readonly tenant: TenantIdentity; readonly venue: Venue; readonly path: string },
): string {
  const language = currentLanguage();
  const words = holderWords[language];
  const without = [...new Set([...givenUp, ...gone.map(({ id }) => id)])].join(',');
  const asksMembership = gone.some(({ refusal }) => refusal.reason === 'membership_required') && hasModule('membership');
  const main = (
    <article class="holder">
      <header>
        <p class="caps">{words.reservation}</p>
        <h1>{words.partsTitle}</h1>
      </header>
      <section class="notice step" role="alert">
        {gone.length > 0 && (
          <>
            <p>{left.length === 0 ? words.notPossible : words.partsGone}</p>
            <Listed lines={gone.map(({ event, refusal }) => `${event} – ${reasonOf(refusal)}`)} />
          </>
        )}
        {asksMembership && (
          <p>
            <a href="/memberships">{words.joinFirst}</a>
          </p>
        )}
        {left.length > 0 && (
          <>
            <p>{words.partsLeft}</p>
            <Listed lines={left.map(({ event }) => event)} />
            <form method="post" action={`${path}/confirm${without === '' ? '' : `?without=${without}`}`}>
              <button class="button">{words.confirmRest}</button>
            </form>
          </>
        )}
      </section>
      <AccountLink />
    </article>
  );
  return pageDocument({ tenant, language, title: `${words.partsTitle} · ${tenant.name}`, main, venue, sheet: 'holder' });
}

function reasonOf(refusal: RefusedBooking): string {
  return refusal.reason === 'limit_per_user' ? maximumWords(refusal, currentLanguage(), true) : refusal.message;
}

function Listed({ lines }: { readonly lines: readonly string[] }): VNode {
  return (
    <ul>
      {lines.map((line) => (
        <li dir="auto">{line}</li>
      ))}
    </ul>
  );
}
