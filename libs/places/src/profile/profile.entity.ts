import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConfirmationWay } from '#kernel';
import { PlaceFacts } from '../place-facts.js';

/** The number of tickets from which on the pages say how many are left, until a tenant sets another one. */
export const usualFewLeft = 10;

/** Pairings of type of the public pages; the style sheets know them by these names. */
export const typefaces = ['maison', 'programme', 'affiche', 'atelier'] as const;
export type Typeface = (typeof typefaces)[number];

/** Corners of buttons, fields and pictures on the public pages. */
export const cornerShapes = ['square', 'round'] as const;
export type CornerShape = (typeof cornerShapes)[number];

/** The look of the pages until a tenant chooses another one. */
export const usualLook = { typeface: 'programme', corners: 'square' } as const satisfies Pick<Profile, 'typeface' | 'corners'>;

/** The profile of a tenant: the one row of its table `configuration`. */
@Entity('configuration')
@Check('configuration_single_row', 'id = 1')
export class Profile extends PlaceFacts {
  @PrimaryColumn('smallint', { default: 1 })
  id!: number;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  imprint!: string | null;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  terms!: string | null;

  /** HTML with the few elements that `cleanHtml` allows. */
  @Column('text', { nullable: true })
  privacy!: string | null;

  /** Hours before an event's start until which buyers on the public pages may reserve and pay at the venue; null: they may not. */
  @Column('smallint', { nullable: true })
  payAtVenueHours!: number | null;

  /** How an unknown e-mail address is confirmed on the public pages. */
  @Column('text', { default: 'link' })
  bookingConfirmation!: ConfirmationWay;

  /** Origins of other sites that may show event pages in frames, one a line; null: none may. */
  @Column('text', { nullable: true })
  allowedSites!: string | null;

  /** Colour of links and buttons on the public pages, `#rrggbb`; null: the usual one. */
  @Column('text', { nullable: true })
  accentColour!: string | null;

  /** The pairing of type of the public pages. */
  @Column('text', { default: 'programme' })
  typeface!: Typeface;

  @Column('text', { default: 'square' })
  corners!: CornerShape;

  /** Whether holders may cancel on their page, until the event's return days begin. */
  @Column('boolean', { default: true })
  holdersMayCancel!: boolean;

  /** The public pages say how many tickets of a price are left when it is at most this number; 0: never. */
  @Column('smallint', { default: usualFewLeft })
  fewLeft!: number;

  /** Amounts that buyers of a cart may add, decimal texts separated by spaces; null: the pages do not ask for a donation. */
  @Column('text', { nullable: true })
  donations!: string | null;

  /** Articles of the code général des impôts under which the venue issues tax receipts for donations: `200, 978`; null: it issues none. */
  @Column('text', { nullable: true })
  taxReceiptArticles!: string | null;

  /** The name of the organisation on tax receipts; null: that of the venue. */
  @Column('text', { nullable: true })
  taxReceiptName!: string | null;

  /** What the organisation is for, as its statutes say. */
  @Column('text', { nullable: true })
  taxReceiptObject!: string | null;

  /** Name and function of who signs tax receipts. */
  @Column('text', { nullable: true })
  taxReceiptSigner!: string | null;

  /** Amounts of the gift cards that the pages sell, decimal texts separated by spaces; null: they sell none. */
  @Column('text', { nullable: true })
  giftCards!: string | null;

  /** Years for which gift cards are valid, where the law allows an end; null: for as long as the law says at least. */
  @Column('smallint', { nullable: true })
  giftCardYears!: number | null;

  /** Whether members are reminded by mail of the end of their membership. */
  @Column('boolean', { default: true })
  membershipReminders!: boolean;

  /** When the place is open: plain lines, `what: when` or days with times (`Tue–Fri 12:00–14:00`). */
  @Column('text', { nullable: true })
  openingHours!: string | null;

  /** The way there: plain lines, such as `Tram: 2 and 3, stop Ferblantiers`. */
  @Column('text', { nullable: true })
  gettingHere!: string | null;

  /** What people with disabilities find there: plain lines, such as `Hearing: induction loop`. */
  @Column('text', { nullable: true })
  accessibility!: string | null;

  /** Whom to ask about access: name, telephone, e-mail address. */
  @Column('text', { nullable: true })
  accessContact!: string | null;

  /** Whether guests get a mail on the day before an event. */
  @Column('boolean', { default: false })
  remindGuests!: boolean;

  /** Whether people can follow the place by mail. */
  @Column('boolean', { default: true })
  followByMail!: boolean;
}
