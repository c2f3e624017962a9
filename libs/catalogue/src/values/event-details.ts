/** A person, a group or an organisation, or a series of events, as an integration sent it. */
export interface NamedThing {
  /** Its type of schema.org, such as MusicGroup. */
  readonly type: string;
  readonly name: string;
  readonly url?: string;
}

/** A price that others ask for the event. Prices that are sold here are products. */
export interface StatedOffer {
  readonly name?: string;
  /** A decimal number, or a text such as `free`. */
  readonly price?: string;
  /** The highest of several prices, of which `price` is the lowest. */
  readonly highPrice?: string;
  readonly currency?: string;
  readonly availability?: string;
  readonly validFrom?: string;
  readonly url?: string;
}

export const attendanceModes = {
  offline: 'https://schema.org/OfflineEventAttendanceMode',
  online: 'https://schema.org/OnlineEventAttendanceMode',
  mixed: 'https://schema.org/MixedEventAttendanceMode',
} as const;
export type AttendanceMode = keyof typeof attendanceModes;

/** Maximum lengths of texts in characters, and of lists. */
export const detailTexts = {
  name: 200,
  type: 100,
  language: 50,
  price: 50,
  currency: 20,
  availability: 100,
  names: 50,
  languages: 20,
};

/** What pages show of an event and nothing else depends on. Absent: not known. */
export interface EventDetails {
  readonly performers?: readonly NamedThing[];
  readonly organizer?: NamedThing;
  readonly attendance?: AttendanceMode;
  /** Codes or names. */
  readonly languages?: readonly string[];
  readonly isFree?: boolean;
  readonly series?: NamedThing;
  readonly offers?: readonly StatedOffer[];
  /** Where an event without a place is seen. */
  readonly onlineUrl?: string;
}
