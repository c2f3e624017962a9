import type { ScanOutcome } from '#scan';
import type { StartPageMail } from '../mails/mail-trouble.reader.js';
import type { StartPageRefunds } from '../refunds/refunds-due.reader.js';
import type { StartPageWallet } from '../wallets/wallet-trouble.reader.js';
import type { Takings } from './takings.reader.js';
import type { StartPageWebhook } from '../webhooks/webhook-trouble.reader.js';

/** One of today's events on the start page. */
export interface StartPageEvent {
  id: string;
  name: string;
  /** ISO 8601. */
  startsAt: string;
  endsAt: string | null;
  /** Its end, or the assumed one. */
  overAt: string;
  place: string | null;
  /** Null: no limit. */
  capacity: number | null;
  /** Number of tickets that are valid or scanned. */
  sold: number;
  /** What is left of the places that dates of a series share, as a text; null: its own places decide. */
  sharedLeft: string | null;
  /** Number of scanned tickets, also of people who left. */
  admitted: number;
  /** People inside: as `GET /scan/status/` counts them. */
  inside: number;
  href?: string;
  /** URL of the box office, while tickets can be sold. */
  sellHref?: string;
  /** Absent: there is none, or the person may not see it. */
  takings?: Takings;
  /** Why visitors cannot book it, and where that is changed; absent: they can. */
  unbookable?: { text: string; href: string };
  /** URL of the live page of the door, for a tenant with scanning. */
  doorHref?: string;
}

/** Counts of an event, without an amount or a name. */
export interface OwnFigures {
  /** Null: no limit. */
  capacity: number | null;
  sold: number;
  admitted: number;
  inside: number;
  /** Guests by price, the most first. */
  prices: { name: string; sold: number; admitted: number }[];
  /** Tickets that were sold until the end of each day with sales; the day is `2026-11-20`. */
  curve: { day: string; sold: number }[];
}

/** One of the events that a right is about. */
export interface OwnEvent {
  id: string;
  name: string;
  /** ISO 8601. */
  startsAt: string;
  isOver: boolean;
  place: string | null;
  href: string;
  /** Null for people who may not see counts. */
  figures: OwnFigures | null;
}

/** One scan on the start page. */
export interface StartPageScan {
  id: string;
  /** Server time, ISO 8601. */
  at: string;
  outcome: ScanOutcome;
  /** Name on the ticket or card; null when the code is neither. */
  who: string | null;
  event: string | null;
  device: string | null;
  /** URL of the ticket or membership. */
  href?: string;
}

/** The start page of a tenant. */
export interface StartPageView {
  kind: 'tonight';
  /** The events of people whose right is about some; they see nothing else here. Null for others. */
  own: OwnEvent[] | null;
  /** Progress of the first steps of a new tenant; null when they are done or dismissed. */
  welcome: { done: number; steps: number; href: string } | null;
  /** URL of the first steps, which stay when nobody wants to see them here any more; null for people who may not do them. */
  stepsHref: string | null;
  /** Server time, ISO 8601. */
  now: string;
  events: StartPageEvent[];
  /** The last ten scans, newest first; null for a tenant without scanning. */
  scans: StartPageScan[] | null;
  /** Number of refused scans since 04:00, when the venue's day begins. */
  refused: number;
  /** URL of the public page of the place; null for people whose right is about some events. */
  publicHref: string | null;
  /** The next event when there is none today. */
  next: StartPageEvent | null;
  /** Events after today, for a tenant without scanning. */
  upcoming: StartPageEvent[] | null;
  /** Webhook endpoints that staff should look after. */
  webhooks: StartPageWebhook[];
  /** State of the mails; null for a tenant without ticketing. */
  mail: StartPageMail | null;
  /** Refunds that staff must pay out; null when there are none. */
  refunds: StartPageRefunds | null;
  /** The certificate for passes that ends soon or has ended; null when there is none. */
  wallet: StartPageWallet | null;
  /** URL of the box office; null for a tenant without ticketing. */
  sellHref: string | null;
}

/** The start page of the server. */
export interface ServerView {
  kind: 'server';
  /** One number per resource, labelled by the resource's name. */
  figures: Array<{ resource: string; count: number; href: string }>;
  /** Number of tenants by category. */
  categories: Array<{ label: string; count: number; href: string }>;
  migrations: { version: number; latest: number; tenants: number; behind: number };
  /** Folder that stores mails while there is no mail server; null when mails are delivered. */
  mailFolder: string | null;
  newest: Array<{ id: string; name: string; host: string; createdAt: string; href: string }>;
}
