import type { WholeMembership } from '#memberships';
import { checkoutUrlOf } from '#payments';
import { currentLanguage, databaseNow, dayWords, sumOf } from '#kernel';
import { hasModule, type TenantIdentity } from '#tenancy';
import { SafeHtml } from '#http';
import { amountWords, LookAgain, lookingAgain, pageDocument, type Venue } from '#page-kit';
import type { VNode } from 'preact';
import { holderWords } from './holder.words.js';
import { AccountLink, ReceiptLink, Step } from './page-parts.js';
import { WithdrawFromMembership } from '../parts/withdraw-row.js';
import { qrDrawing } from './qr-drawing.js';

/** Whether the card of a membership is valid now, or will be when it begins. */
export function isValidNow({ status, validUntil }: Pick<WholeMembership, 'status' | 'validUntil'>): boolean {
  return status === 'active' && (validUntil === null || validUntil > databaseNow());
}

/** Whether its page leads to the renewal, which says what is possible. */
function isRenewable({ status, validUntil }: Pick<WholeMembership, 'status' | 'validUntil'>): boolean {
  return status === 'active' && validUntil !== null && hasModule('membership');
}

interface MembershipPageFacts {
  readonly tenant: TenantIdentity;
  readonly venue: Venue;
  /** Path of the next look, while the provider has not confirmed a payment from which the buyer returned. */
  readonly again: string | undefined;
}

/** A membership for its holder, with the code of the card while it is valid. */
export async function membershipPage(
  membership: WholeMembership,
  code: string,
  path: string,
  { tenant, venue, again }: MembershipPageFacts,
): Promise<string> {
  const language = currentLanguage();
  const words = holderWords[language];
  const { product, price, amount, firstName, lastName, email, validFrom, validUntil } = membership;
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const isValid = isValidNow(membership);
  const drawing = isValid ? await qrDrawing(code) : undefined;
  const main = (
    <article class="holder">
      <header>
        <p class="caps">{words.membership}</p>
        <h1 dir="auto">{product.name}</h1>
        <p class="lead" dir="auto">
          {`${firstName} ${lastName}`.trim() || email}
        </p>
      </header>
      {again !== undefined && <LookAgain path={again} text={words.payingCard} />}
      {again === undefined && !isValid && <InvalidStep membership={membership} />}
      <section>
        <p>
          {price.name} · {amountWords(sumOf([{ amount }]) as `${number}`, language)}
        </p>
        <p>
          {words.validFrom} {day(validFrom)}
        </p>
        <p>{validUntil ? `${words.validUntil} ${day(new Date(validUntil.getTime() - 1))}` : words.noEnd}</p>
        {drawing !== undefined && (
          <ul class="tickets cards">
            <li>
              <SafeHtml html={drawing} />
            </li>
          </ul>
        )}
        <Ways membership={membership} path={path} />
      </section>
      <ReceiptLink sold={membership} path={path} />
      <WithdrawFromMembership membership={membership} path={path} venue={venue} />
      <AccountLink />
    </article>
  );
  return pageDocument({
    tenant,
    language,
    title: `${words.membership} · ${tenant.name}`,
    main,
    venue,
    sheet: 'holder',
    head: lookingAgain(again),
    hasScript: again !== undefined,
  });
}

/** Why there is no card: not paid yet, or over. */
function InvalidStep({ membership: { status, payments } }: { readonly membership: WholeMembership }): VNode {
  const words = holderWords[currentLanguage()];
  if (status !== 'pending') return <Step text={words.ended} />;
  const checkout = checkoutUrlOf(payments);
  return (
    <Step text={payments.some((payment) => payment.status === 'processing') ? words.processing : words.waiting}>
      {checkout && (
        <p>
          <a class="button" href={checkout}>
            {words.pay}
          </a>
        </p>
      )}
    </Step>
  );
}

/** The card as a file, and the renewal. */
function Ways({ membership, path }: { readonly membership: WholeMembership; readonly path: string }): VNode | null {
  const words = holderWords[currentLanguage()];
  const [isValid, canRenew] = [isValidNow(membership), isRenewable(membership)];
  if (!isValid && !canRenew) return null;
  return (
    <p class="ways">
      {isValid && (
        <a class="button" href={`${path}/card.pdf`}>
          {words.downloadCard}
        </a>
      )}
      {canRenew && <a href={`${path}/renew`}>{words.renew}</a>}
    </p>
  );
}
