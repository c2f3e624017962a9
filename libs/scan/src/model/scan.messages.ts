import type { Language, Text } from '#kernel';
import type { CardRefusal, FulfilRefusal, ScanRefusal, UndoRefusal } from './scan-facts.js';

/** The English messages are the specification's where it prints one. */
export const messages = {
  paired: { en: 'Device successfully paired', fr: 'Appareil appairé' },
  keyValid: { en: 'API key is valid', fr: "La clé d'API est valide" },
  checked: { en: 'Ticket information retrieved', fr: 'Informations du billet trouvées' },
  scanned: { en: 'Ticket successfully scanned', fr: 'Billet scanné' },
  undone: { en: 'Scan undone', fr: 'Scan annulé' },
  fulfilled: { en: 'Item handed out', fr: 'Article remis' },
  fulfilUndone: { en: 'Handing out undone', fr: 'Remise annulée' },
  cardChecked: { en: 'Membership information retrieved', fr: "Informations de l'adhésion trouvées" },
  cardValid: { en: 'Membership card valid', fr: "Carte d'adhésion valide" },
} as const satisfies Record<string, Text>;

export interface RefusalParameters {
  readonly event: string;
  readonly place: string | null;
  /** Product and price. */
  readonly item: string;
  /** Whether goods were handed out, rather than a ticket scanned. */
  readonly handedOut: boolean;
  when(): string;
  opens(): string;
  closes(): string;
}

export const refusals: Readonly<Record<ScanRefusal | UndoRefusal | FulfilRefusal, Text<RefusalParameters>>> = {
  already_scanned: { en: () => 'Ticket already scanned', fr: () => 'Billet déjà scanné' },
  cancelled: { en: () => 'Ticket cancelled', fr: () => 'Billet annulé' },
  not_admission: {
    en: ({ item }) => `Not an admission ticket: ${item}`,
    fr: ({ item }) => `Ce n'est pas un billet d'entrée : ${item}`,
  },
  not_paid: { en: () => 'Ticket not paid', fr: () => 'Billet non payé' },
  not_active: { en: () => 'Ticket not active', fr: () => 'Billet non actif' },
  wrong_event: {
    en: ({ event, place, when }) => `This ticket is for ${event}, ${when()}${place ? `, ${place}` : ''}`,
    fr: ({ event, place, when }) => `Ce billet est pour ${event}, ${when()}${place ? `, ${place}` : ''}`,
  },
  too_early: {
    en: ({ opens }) => `Too early: scanning opens ${opens()}`,
    fr: ({ opens }) => `Trop tôt : le contrôle ouvre ${opens()}`,
  },
  too_late: {
    en: ({ closes }) => `Too late: scanning closed ${closes()}`,
    fr: ({ closes }) => `Trop tard : le contrôle a fermé ${closes()}`,
  },
  not_scanned: {
    en: () => 'Nothing to undo: this ticket is not scanned',
    fr: () => "Rien à annuler : ce billet n'est pas scanné",
  },
  not_fulfilled: {
    en: () => 'Nothing to undo: this item is not handed out',
    fr: () => "Rien à annuler : cet article n'est pas remis",
  },
  admission: {
    en: () => 'This is an admission ticket: scan it instead',
    fr: () => "C'est un billet d'entrée : scannez-le plutôt",
  },
  already_fulfilled: { en: () => 'Item already handed out', fr: () => 'Article déjà remis' },
  other_device: {
    en: ({ handedOut }) => (handedOut ? 'Another device handed this item out' : 'Another device scanned this ticket'),
    fr: ({ handedOut }) => (handedOut ? 'Un autre appareil a remis cet article' : 'Un autre appareil a scanné ce billet'),
  },
  undo_expired: {
    en: () => 'Too late to undo on the device: ask the staff',
    fr: () => "Trop tard pour annuler sur l'appareil : demandez à l'équipe",
  },
};

export const cardRefusals: Readonly<Record<CardRefusal, Text>> = {
  expired: { en: 'Membership expired', fr: 'Adhésion expirée' },
  not_yet_valid: { en: 'Membership not valid yet', fr: 'Adhésion pas encore valable' },
  cancelled: { en: 'Membership cancelled', fr: 'Adhésion annulée' },
  not_paid: { en: 'Membership not paid', fr: 'Adhésion non payée' },
  membership: {
    en: 'This is a membership card, not a ticket: check it instead',
    fr: "C'est une carte d'adhésion, pas un billet : vérifiez-la plutôt",
  },
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Fri 20 Nov, 20:30` in the tenant's time zone. */
export function sayWhen(instant: string | null | undefined, language: Language, timeZone: string): string {
  if (!instant) return '';
  const key = `${language} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    // Creating a formatter takes longer than a scan; there are two languages and about 600 zones.
    if (formats.size > 2000) formats.clear();
    formats.set(key, format);
  }
  return format.format(new Date(instant));
}
