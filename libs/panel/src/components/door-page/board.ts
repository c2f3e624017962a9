import type { DoorNumbersNow, DoorView } from '../../door-page/door.page.js';

/** The numbers of one event. */
export type DoorBoard = NonNullable<DoorNumbersNow['board']>;

/** The links of the page. */
export type DoorLinks = NonNullable<DoorView['links']>;

export type BoardGate = DoorBoard['gates'][number];

/** A gate of the event; tickets without one belong to none. */
export type KnownGate = BoardGate & { readonly id: string };

export type BoardDevice = DoorBoard['devices'][number];
