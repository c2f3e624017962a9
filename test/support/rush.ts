import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** One venue on several servers, as clients reach it. */
export interface Venue {
  readonly ports: readonly number[];
  readonly host: string;
  readonly authorization: string;
}

export interface Sale {
  readonly event: { readonly id: string; readonly priceId: string };
  readonly places: number;
  readonly buyers: number;
  /** Expires a hold. */
  letLapse(reservationId: string): Promise<void>;
}

export interface Rush {
  /** Number of responses by status and code. */
  readonly answers: Readonly<Record<string, number>>;
  /** Paid places according to the responses. */
  readonly paid: number;
}

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly body: { readonly identifier?: string; readonly remaining?: readonly { readonly remaining: number }[] };
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

async function call(venue: Venue, method: string, path: string, body: object, key: string): Promise<Answer> {
  const text = JSON.stringify(body);
  const port = venue.ports[Math.floor(Math.random() * venue.ports.length)] as number;
  const headers = {
    host: venue.host,
    authorization: venue.authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(method === 'POST' && { 'idempotency-key': key }),
  };
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent });
  sent.end(text);
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const shown = (await json(answer)) as Answer['body'] & { code?: string };
    return { status: answer.statusCode ?? 0, code: shown.code ?? '', body: shown };
  } catch (error) {
    // The server closed an idle connection before it read the request.
    if (sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return call(venue, method, path, body, key);
    throw error;
  }
}

/** Chooses what a buyer does with a reservation: most pay, some cancel before or after paying, some do nothing. */
function plan(): 'pay' | 'pay late' | 'cancel' | 'pay and cancel' | 'go' {
  const chance = Math.random();
  if (chance < 0.5) return 'pay';
  if (chance < 0.6) return 'pay late';
  if (chance < 0.75) return 'cancel';
  return chance < 0.85 ? 'pay and cancel' : 'go';
}

/**
 * Many buyers for few places. A buyer wants one or two and repeats a refused booking until all places are finally paid. Every fourth buyer
 * uses the address of another one.
 */
export async function rush(venue: Venue, { event, places, buyers, letLapse }: Sale): Promise<Rush> {
  const path = '/api/v2/reservations/';
  const answers: Record<string, number> = {};
  let paid = 0;

  // After a temporary error, the same request is repeated, because its outcome is unknown.
  const ask = async (method: string, where: string, body: object, key: string = randomUUID()): Promise<Answer> => {
    const answer = await call(venue, method, where, body, key);
    const told = `${method} ${answer.status} ${answer.code}`.trim();
    answers[told] = (answers[told] ?? 0) + 1;
    if (answer.status !== 503 && answer.code !== 'idempotency.in_progress') return answer;
    await delay(500);
    return ask(method, where, body, key);
  };
  const change = (id: string, to: 'Confirmed' | 'Cancelled'): Promise<Answer> =>
    ask('PATCH', `${path}${id}/`, { reservationStatus: `https://schema.org/Reservation${to}` });

  /** @returns true when the buyer is done, with or without tickets */
  const attempt = async (email: string, quantity: number): Promise<boolean> => {
    const made = await ask('POST', path, {
      reservationFor: { identifier: event.id },
      underName: { '@type': 'Person', email },
      reservedTicket: [{ identifier: event.priceId, ticketQuantity: quantity }],
    });
    if (made.status === 409 && made.code === 'booking.limit_per_user') return true;
    if (made.status !== 201) {
      if (made.status !== 409) throw new Error(`${made.status} ${made.code}`);
      if (quantity > 1 && made.body.remaining?.[0]?.remaining === 1) return attempt(email, 1);
      return false;
    }
    const id = made.body.identifier as string;
    const wish = plan();
    await delay(Math.random() * 50);
    if (wish === 'go' || wish === 'pay late') await letLapse(id);
    if (wish === 'go') return true;
    if (wish === 'cancel') {
      await change(id, 'Cancelled');
      return true;
    }
    if (wish === 'pay late') await delay(Math.random() * 100);
    const answer = await change(id, 'Confirmed');
    if (answer.status !== 200 && answer.status !== 409) throw new Error(`${answer.status} ${answer.code}`);
    if (answer.status !== 200) return false;
    if (wish === 'pay and cancel') await change(id, 'Cancelled');
    else paid += quantity;
    return true;
  };

  const final = (): boolean => paid >= places;
  const buyer = async (number: number): Promise<void> => {
    const email = `buyer${number % 4 === 3 ? number - 1 : number}@example.org`;
    await delay(Math.random() * 100);
    while (!final() && !(await attempt(email, Math.random() < 0.8 ? 1 : 2))) await delay(200 + Math.random() * 800);
  };
  await Promise.all(Array.from({ length: buyers }, (_, number) => buyer(number)));
  return { answers, paid };
}
