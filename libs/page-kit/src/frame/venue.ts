import type { ConfirmationWay } from '#kernel';

/** The public profile of the venue; every field may be missing. */
export type Venue = Readonly<
  Record<
    | 'shortDescription'
    | 'streetAddress'
    | 'postalCode'
    | 'city'
    | 'country'
    | 'phone'
    | 'email'
    | 'website'
    | 'twitter'
    | 'facebook'
    | 'instagram'
    | 'legalDocuments'
    | 'restaurantMenu'
    | 'imageId'
    | 'logoImageId'
    | 'mapImageId'
    | 'allowedSites'
    | 'accentColour'
    | 'donations'
    | 'giftCards'
    | 'typeface'
    | 'corners',
    string | null | undefined
  >
> & {
  /** What visitors can give for, also with an order. */
  readonly campaigns?: readonly { readonly id: string; readonly title: string }[] | null;
  /** Whether there are campaigns, also those that are not offered with orders. */
  readonly hasCampaigns?: boolean;
  /** Whether these pages exist. */
  readonly hasImprint?: boolean;
  readonly hasTerms?: boolean;
  readonly hasPrivacy?: boolean;
  /** Whether the page of the house has something to show. */
  readonly hasHouse?: boolean;
  /** Whether people can join the venue. */
  readonly hasMemberships?: boolean;
  /** Whether people can follow the venue by mail. */
  readonly canBeFollowed?: boolean;
  /** Whether an account takes online payments, so that gift cards can be bought and donations given. */
  readonly paysOnline?: boolean;
  /** Whether the venue has issued gift cards. */
  readonly hasGiftCards?: boolean;
  /** Whether the venue has discount codes. */
  readonly hasCodes?: boolean;
  /** Whether goods are sold for coming events. */
  readonly hasGoods?: boolean;
  /** Pages say how many tickets of a price are left when it is at most this number; 0: never. */
  readonly fewLeft?: number;
  /** Hours before the start of an event until which buyers may choose to pay at the venue; null: never. */
  readonly payAtVenueHours?: number | null;
  /** How an unknown e-mail address is confirmed; default: by a link. */
  readonly bookingConfirmation?: ConfirmationWay;
};
