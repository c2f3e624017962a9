import type { RefusedBooking } from '#tickets';
import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the form with which buyers choose tickets. Plain text. */
export interface BookingWords {
  /** Heading of the faults. */
  faults: string;
  number: string;
  /** The number of goods. */
  quantity: string;
  /** Goods are handed out at the event. */
  collectHere: string;
  wholeShop: string;
  /** Opens the goods below the tickets. */
  addGoods: string;
  /** Places that others paid. */
  givenPlaces: (count: number) => string;
  /** Above the suggested amounts of a free price. */
  payWhatYouCan: string;
  usualAmount: string;
  otherAmount: string;
  otherAmountFrom: (amount: string) => string;
  /** Leads from the bar of a phone to the prices. */
  choose: string;
  /** The same for tickets. */
  chooseTickets: string;
  oneTicket: string;
  /** With `{count}`, for the script. */
  manyTickets: string;
  /** Of volunteers, who have no tickets. */
  onePlace: string;
  /** With `{count}`, for the script. */
  manyPlaces: string;
  fewer: string;
  more: string;
  /** @param count dates of a pass @param amount of each */
  pass: (count: number, amount: string) => string;
  /** The same for dates that the buyer chooses. */
  chosenDates: (count: number, amount: string) => string;
  /** @param count tickets that are left */
  left: (count: number) => string;
  /** @param name of the membership */
  membersOnly: (name: string) => string;
  /** @param name of the membership of a price that cannot be chosen now */
  forMembers: (name: string) => string;
  /** @param name of the membership that the visitor has */
  yourPrice: (name: string) => string;
  joinFirst: string;
  signIn: string;
  mostPerPerson: (count: number) => string;
  atVenueOnly: string;
  notSoldHere: string;
  amount: string;
  /** @param amount the minimum, with its currency */
  amountFrom: (amount: string) => string;
  /** Of goods. */
  itemAmount: string;
  itemAmountFrom: (amount: string) => string;
  writeAmount: string;
  /** @param amount the minimum, with its currency */
  writeAtLeast: (amount: string) => string;
  options: string;
  book: string;
  change: string;
  addToCart: string;
  cart: string;
  next: string;
  onlyLeft: (count: number) => string;
  mayBook: (count: number) => string;
  /** @param count tickets that the person has */
  haveAlready: (count: number) => string;
  noneLeft: string;
  chooseNumber: string;
}

export const bookingWords: Readonly<Record<Language, BookingWords>> = texts.perLanguage('booking', ({ words, t }) => ({
  ...words,
  pass: (count: number, amount: string) => t('booking.pass', { count, amount }),
  chosenDates: (count: number, amount: string) => t('booking.chosenDates', { count, amount }),
  manyTickets: t('booking.manyTickets', { count: '{count}' }),
  manyPlaces: t('booking.manyPlaces', { count: '{count}' }),
  left: (count) => t('booking.left', { count }),
  membersOnly: (name) => t('booking.membersOnly', { name }),
  forMembers: (name) => t('booking.forMembers', { name }),
  yourPrice: (name) => t('booking.yourPrice', { name }),
  mostPerPerson: (count) => t('booking.mostPerPerson', { count }),
  amountFrom: (amount) => t('booking.amountFrom', { amount }),
  givenPlaces: (count) => t('booking.givenPlaces', { count }),
  otherAmountFrom: (amount) => t('booking.otherAmountFrom', { amount }),
  itemAmountFrom: (amount) => t('booking.itemAmountFrom', { amount }),
  writeAtLeast: (amount) => t('booking.writeAtLeast', { amount }),
  onlyLeft: (count) => t('booking.onlyLeft', { count }),
  mayBook: (count) => t('booking.mayBook', { count }),
  haveAlready: (count) => t('booking.haveAlready', { count }),
}));

/**
 * Says the maximum of a person that a booking exceeds.
 * @param isOwn the reader is this person: only then it says what the person has
 */
export function maximumWords({ facts, message }: RefusedBooking, language: Language, isOwn: boolean): string {
  const { mayBook, haveAlready } = bookingWords[language];
  if (facts.maximum === undefined) return message;
  const most = mayBook(facts.maximum);
  return isOwn && facts.held ? `${most} ${haveAlready(facts.held)}` : most;
}
