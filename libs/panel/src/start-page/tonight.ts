import type { ScanOutcome } from '#scan';
import type { TonightMail } from '../mails/mail-trouble.reader.js';
import type { TonightRefunds } from '../refunds/refunds-due.reader.js';
import type { TonightWebhook } from '../webhooks/webhook-trouble.reader.js';

/** One of today's events on the start page. */
export interface TonightEvent {
  id: string;
  name: string;
  /** ISO 8601. */
  startsAt: string;
  endsAt: string | null;
  place: string | null;
  /** Null: no limit. */
  capacity: number | null;
  /** Tickets that may enter or have entered. */
  sold: number;
  /** Tickets scanned. */
  inside: number;
  href?: string;
  /** The box office for this event, when tickets can still be sold. */
  sellHref?: string;
}

/** One scan on the start page. */
export interface TonightScan {
  id: string;
  /** Server time, ISO 8601. */
  at: string;
  outcome: ScanOutcome;
  /** Who the ticket or the card is for; null when the code was neither. */
  who: string | null;
  event: string | null;
  device: string | null;
  /** The page of the ticket or the membership. */
  href?: string;
}

/** The start page of a place. */
export interface TonightView {
  kind: 'tonight';
  /** First steps of a new place that are not all done; null: none, or nobody wants to see them. */
  welcome: { done: number; steps: number; href: string } | null;
  /** Server time, ISO 8601. */
  now: string;
  events: TonightEvent[];
  /** Newest first, ten; null for a place without doors. */
  scans: TonightScan[] | null;
  /** Refused scans since the day began (04:00). */
  refused: number;
  /** The next event when there is none today. */
  next: { name: string; startsAt: string } | null;
  /** What comes after today, for a place without doors. */
  upcoming: TonightEvent[] | null;
  /** Endpoints that need somebody. */
  webhooks: TonightWebhook[];
  /** For a place that sells tickets. */
  mail: TonightMail | null;
  /** Null: nobody waits for money. */
  refunds: TonightRefunds | null;
  /** The box office, for a place that sells tickets. */
  sellHref: string | null;
}

/** The start page of the server. */
export interface ServerView {
  kind: 'server';
  /** One figure per resource, named by its label. */
  figures: Array<{ resource: string; count: number; href: string }>;
  /** Places by category. */
  categories: Array<{ label: string; count: number; href: string }>;
  migrations: { version: number; latest: number; tenants: number; behind: number };
  /** Where mails are kept as long as there is no mail server; null: they go out. */
  mailFolder: string | null;
  newest: Array<{ id: string; name: string; host: string; createdAt: string; href: string }>;
}
