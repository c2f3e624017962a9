import { databaseNow, isoInZone, isVisible, RefusedInput, RefusedInputs, refusalsOf, refuseUnfitText, startOfDayInZone } from '#kernel';
import { emailFault } from '#tickets';
import { currentTenant } from '#tenancy';
import { texts } from '../locales/gift-cards.texts.js';
import { cardAmountOf } from './card-amounts.js';

/** The longest texts of a card, in characters. */
export const cardTexts = { message: 300, name: 100, note: 300 } as const;
/** A card is mailed at most as many days later. */
const latestDay = 366;

/** Whom a card is for. */
export interface CardRecipient {
  readonly recipientName?: string;
  /** Empty or absent: somebody prints it. */
  readonly recipientEmail?: string | null;
  readonly message?: string | null;
  /** The day of its mail, `2026-12-24`; empty or absent: today. */
  readonly sendOn?: string | null;
}

/** What is stored of a recipient. */
interface CheckedRecipient {
  readonly recipientName: string;
  readonly recipientEmail: string | null;
  readonly message: string | null;
  readonly sendOn: string | null;
}

/** Today at the venue. */
export const venueDay = (): string => isoInZone(databaseNow(), currentTenant().timeZone).slice(0, 10);

/** @returns faults on `amount`, `message`, `recipientName`, `recipientEmail`, `sendOn` */
function cardFaults(amount: string, recipient: CardRecipient): RefusedInput[] {
  const { recipientName = '', recipientEmail, message, sendOn } = recipient;
  const email = recipientEmail?.trim() ?? '';
  return [
    ...refusalsOf(() => void cardAmountOf(amount, 'amount')),
    ...refusalsOf(() => refuseUnfitText('message', message ?? '', cardTexts.message)),
    ...refusalsOf(() => refuseUnfitText('recipientName', recipientName, cardTexts.name)),
    ...(email === '' ? [] : (emailFault(email)?.faults ?? []).map((fault) => fault.at('recipientEmail'))),
    ...(sendOn && !fitsDay(sendOn) ? [new RefusedInput('sendOn', texts.localized('sendOn.unfit'))] : []),
  ];
}

/** @throws RefusedInputs of `cardFaults` and `more` */
export function checkedCard(
  amount: string,
  recipient: CardRecipient,
  more: readonly RefusedInput[] = [],
): CheckedRecipient & { amount: string } {
  const faults = [...cardFaults(amount, recipient), ...more];
  if (faults.length > 0) throw new RefusedInputs(faults);
  const { recipientName = '', recipientEmail, message, sendOn } = recipient;
  const email = recipientEmail?.trim() || null;
  return {
    amount: cardAmountOf(amount, 'amount'),
    recipientName: recipientName.trim(),
    recipientEmail: email,
    message: message && isVisible(message) ? message.trim() : null,
    sendOn: email === null ? null : sendOn || venueDay(),
  };
}

function fitsDay(day: string): boolean {
  const { timeZone } = currentTenant();
  const begin = startOfDayInZone(day, timeZone);
  return begin !== undefined && day >= venueDay() && begin.getTime() < databaseNow().getTime() + latestDay * 86_400_000;
}
