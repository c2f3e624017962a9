import type { Intent, StripeIntents } from './stripe-intents.js';
import { invalid, nested, newId, refuse, Refusal, type StripeRequest } from './stripe-objects.js';

interface Action {
  readonly type: 'process_payment_intent';
  readonly process_payment_intent: { readonly payment_intent: string };
  status: 'in_progress' | 'succeeded' | 'failed';
  failure_code: string | null;
  failure_message: string | null;
}

export interface TerminalReader {
  readonly id: string;
  readonly object: 'terminal.reader';
  readonly label: string;
  readonly location: string;
  status: 'online' | 'offline';
  action: Action | null;
}

interface TerminalLocation {
  readonly id: string;
  readonly object: 'terminal.location';
  readonly display_name: string;
  readonly metadata: Record<string, string>;
  readonly address: Record<string, string>;
}

/** Card readers that Stripe's servers drive. https://docs.stripe.com/api/terminal/readers */
export class StripeTerminal {
  readonly readers = new Map<string, TerminalReader>();
  readonly locations = new Map<string, TerminalLocation>();
  /** Sums that cards were charged at readers, in the order of the charges. */
  readonly charged: string[] = [];
  /** The card is in the reader: it cannot stop now. */
  isReading = false;

  constructor(private readonly intents: StripeIntents) {}

  /** The payment that a reader asks for. @throws Error when it asks for none */
  asks(readerId: string): Intent {
    const action = this.readers.get(readerId)?.action;
    if (action?.status !== 'in_progress') throw new Error('The reader asks for nothing.');
    return this.intents.find(action.process_payment_intent.payment_intent);
  }

  /** Whether any reader asks for a sum. */
  get isAsking(): boolean {
    return [...this.readers.values()].some(({ action }) => action?.status === 'in_progress');
  }

  /** A card is held to the reader, and charged. */
  tap(readerId: string): Intent {
    const intent = this.asks(readerId);
    const { action } = this.readers.get(readerId) as { action: Action };
    if (intent.status === 'canceled') throw new Error('Nobody can pay what was cancelled.');
    action.status = 'succeeded';
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    this.charged.push(intent.id);
    this.intents.charged(intent);
    return intent;
  }

  /** What the reader asks for ends without money, as when a card is declined or the person presses the red key. */
  fail(readerId: string, failure_code: string): void {
    this.asks(readerId);
    Object.assign(this.readers.get(readerId)?.action as Action, { status: 'failed', failure_code, failure_message: failure_code });
  }

  /** Answers a request about readers and locations; undefined: it is about something else. */
  work({ method, path, parameters }: StripeRequest): object | undefined {
    const [, , top, kind, id, verb] = (path.split('?')[0] as string).split('/');
    if (top !== 'terminal') return undefined;
    if (kind === 'locations') return method === 'POST' ? this.newLocation(parameters) : list(this.locations);
    if (method === 'POST' && id === undefined) return this.newReader(parameters);
    const reader = this.readers.get(id ?? '');
    if (!reader) throw new Refusal(404, { ...invalid, code: 'resource_missing', message: `No such terminal.reader: '${id}'` });
    if (method === 'DELETE') {
      this.readers.delete(reader.id);
      return { id: reader.id, object: 'terminal.reader', deleted: true };
    }
    if (verb === 'process_payment_intent') return this.process(reader, parameters['payment_intent'] ?? '');
    if (verb === 'cancel_action') return this.stop(reader);
    return reader;
  }

  private newLocation(parameters: StripeRequest['parameters']): TerminalLocation {
    const address = nested(parameters, 'address');
    for (const name of ['line1', 'city', 'postal_code', 'country'])
      if (!address[name]) refuse('parameter_missing', name, `Missing: ${name}`);
    const display_name = parameters['display_name'] ?? refuse('parameter_missing', 'display_name', 'Missing: display_name');
    const id = newId('tml');
    const made = { id, object: 'terminal.location', display_name, address, metadata: nested(parameters, 'metadata') } as const;
    this.locations.set(id, made);
    return made;
  }

  private newReader({ registration_code, label = '', location = '' }: StripeRequest['parameters']): TerminalReader {
    if (!this.locations.has(location)) refuse('resource_missing', 'location', `No such location: '${location}'`);
    if (!registration_code?.startsWith('simulated-'))
      refuse('resource_missing', 'registration_code', 'No reader with this registration code was found.');
    const made: TerminalReader = { id: newId('tmr'), object: 'terminal.reader', label, location, status: 'online', action: null };
    this.readers.set(made.id, made);
    return made;
  }

  private process(reader: TerminalReader, payment_intent: string): TerminalReader {
    const intent = this.intents.find(payment_intent);
    if (reader.status === 'offline') refuse('terminal_reader_offline', 'reader', 'Reader is currently offline.');
    if (reader.action?.status === 'in_progress') refuse('terminal_reader_busy', 'reader', 'Reader is currently busy.');
    if (intent.status !== 'requires_payment_method')
      refuse('intent_invalid_state', 'payment_intent', `The PaymentIntent is ${intent.status}.`);
    const action = { type: 'process_payment_intent', process_payment_intent: { payment_intent }, status: 'in_progress' } as const;
    reader.action = { ...action, failure_code: null, failure_message: null };
    return reader;
  }

  private stop(reader: TerminalReader): TerminalReader {
    if (this.isReading) refuse('terminal_reader_busy', 'reader', 'Reader is currently processing another request.');
    reader.action = null;
    return reader;
  }
}

const list = (rows: ReadonlyMap<string, object>): object => ({ object: 'list', has_more: false, data: [...rows.values()] });
