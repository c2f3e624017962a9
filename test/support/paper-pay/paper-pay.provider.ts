import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { folderTexts, isUuid } from '#kernel';
import {
  OnlineProvider,
  PaymentEventRefused,
  PaymentProvider,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
  type AccountField,
  type CheckoutOutcome,
  type CheckoutRequest,
  type ProviderAccount,
  type ProviderEvent,
  type RefundRequest,
} from '#payments';
import { currentTenant } from '#tenancy';
import words from './paper-pay.words.json' with { type: 'json' };

const texts = folderTexts(words);

/** A bill at Paper Pay; `note` names tenant and payment. */
export interface Bill {
  readonly number: string;
  readonly note: string;
  readonly euros: string;
  state: 'open' | 'paid' | 'void';
}

/** A provider that exists in the tests only: an address of its own for each shop, a shared secret, amounts in decimal text. */
@OnlineProvider()
export class PaperPayProvider extends PaymentProvider {
  readonly name = 'paper-pay';
  readonly label = texts.label;
  readonly fields: readonly AccountField[] = [
    {
      name: 'address',
      label: texts.address,
      secret: false,
      shape: { pattern: /^https?:\/\/\S{1,100}$/, refusal: texts.addressInvalid },
      help: texts.addressHelp,
    },
    { name: 'shop', label: texts.shop, secret: false, shape: { pattern: /^\d{6}$/, refusal: texts.shopInvalid }, help: texts.shopHelp },
    {
      name: 'secret',
      label: texts.secret,
      secret: true,
      shape: { pattern: /^pp_\w{20,60}$/, refusal: texts.secretInvalid },
      help: texts.secretHelp,
    },
  ];
  override readonly eventsHelp = texts.events;
  readonly minimum = '2.00';
  readonly currencies = ['EUR'];

  override async open(request: CheckoutRequest, account: ProviderAccount): Promise<{ reference: string; url: string }> {
    const cents = [request, ...(request.more ?? [])].reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    const note = `${currentTenant().id} ${request.paymentId}`;
    const asked = { key: request.paymentId, note, euros: (cents / 100).toFixed(2), back: request.successUrl };
    const { number, url } = await ask<Bill & { url: string }>(account, '/bills', asked);
    return { reference: number, url };
  }

  async expire(reference: string, account: ProviderAccount): Promise<void> {
    await ask(account, `/bills/${reference}/void`, {});
  }

  async look(reference: string, account: ProviderAccount): Promise<CheckoutOutcome[]> {
    const outcome = outcomeOf(await ask<Bill>(account, `/bills/${reference}`));
    return outcome ? [outcome] : [];
  }

  async refund({ providerPayment, amount, refundId }: RefundRequest, account: ProviderAccount): Promise<{ reference: string }> {
    const { reference } = await ask<{ reference: string }>(account, `/bills/${providerPayment}/refunds`, { key: refundId, euros: amount });
    return { reference };
  }

  async check(account: ProviderAccount): Promise<void> {
    await ask(account, '/shop');
  }

  override async readEvent(bytes: Buffer, headers: IncomingHttpHeaders, { fields }: ProviderAccount): Promise<ProviderEvent> {
    const given = Buffer.from(String(headers['paper-pay-mark'] ?? ''), 'hex');
    const due = createHmac('sha256', fields['secret'] ?? '')
      .update(bytes)
      .digest();
    if (given.length !== due.length || !timingSafeEqual(given, due)) throw new PaymentEventRefused('The event has another mark.');
    const { id, bill } = JSON.parse(bytes.toString()) as { id: string; bill: Bill };
    const change = outcomeOf(bill);
    return change ? { id, change } : { id };
  }
}

function outcomeOf({ number, note, euros, state }: Bill): CheckoutOutcome | undefined {
  const [tenantId, paymentId = ''] = note.split(' ');
  if (tenantId !== currentTenant().id || !isUuid(paymentId) || state === 'open') return undefined;
  const checkout = { paymentId, reference: number, providerPayment: number };
  return state === 'paid' ? { type: 'paid', ...checkout, amount: euros, currency: 'EUR' } : { type: 'closed', ...checkout };
}

async function ask<Answer>({ fields }: ProviderAccount, path: string, body?: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', Shop: fields['shop'] ?? '', Secret: fields['secret'] ?? '' };
  const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${fields['address']}${path}`, { ...sent, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (!answer || answer.status >= 500) throw new PaymentProviderUnavailable('Paper Pay does not answer.');
  const said = (await answer.json()) as Answer & { refusal?: string };
  if (answer.ok) return said;
  throw new PaymentProviderRefused('Paper Pay refuses.', answer.status === 401 ? 'key' : said.refusal);
}
