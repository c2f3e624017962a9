import type { ScanOutcome } from '#scan';

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

/** A webhook endpoint that nothing reaches. */
export interface TonightWebhook {
  url: string;
  /** Disabled because the receiver answered 410 or after five days of failure, or failing still. */
  trouble: 'gone' | 'givenUp' | 'failing';
  /** ISO 8601. */
  since: string;
  href: string;
}

/** How the mails of a place do. */
export interface TonightMail {
  /** Null: they go out. Without a mail server they are files, in a folder that super-users are told. */
  kept: { folder: string | null } | null;
  /** For more than ten minutes. */
  waiting: number;
  /** Refused or given up in the last week, and nothing was sent since. */
  refused: number;
  /** The list of those. */
  href: string;
}

/** Money that somebody has to give back by hand. */
export interface TonightRefunds {
  count: number;
  /** Decimal text. */
  amount: string;
  /** The list of those. */
  href: string;
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

/** What the action behind `PairingCode` answers as its `view`; `hidden`: a code is valid, and nobody can show it again. */
export type PairingView =
  { state: 'open'; address: string; picture: string; expiresAt: string } | { state: 'spent' | 'expired' | 'hidden' };
