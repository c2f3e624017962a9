// TRANSITION: string versions for the cart.
import { htmlOf } from '#page-kit';
import { Hold, TicketLines } from './order-summary.js';

type HoldProps = Parameters<typeof Hold>[0];
type Lines = Parameters<typeof TicketLines>[0]['order'];

export { heldSentences } from './order-summary.js';
export const ticketLinesHtml = (order: Lines): string => htmlOf(<TicketLines order={order} />);
export const holdHtml = (order: HoldProps['order'], timeZone: string, step: HoldProps['step'] = 'heldUntil'): string =>
  htmlOf(<Hold order={order} timeZone={timeZone} step={step} />);
