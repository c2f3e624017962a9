import { cardTexts, GiftCard, GiftCardsService, giftCardStates, movementKinds, type WholeGiftCard } from '#gift-cards';
import { isUuid } from '#kernel';
import { GiftCardDocumentsService } from '#notices';
import { TenantDb, TenantsService } from '#tenancy';
import type { PanelAction, PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  euros,
  formAction,
  inEachLanguage,
  labels,
  PanelFieldError,
  PanelResource,
  recordHref,
  related,
  relatedProperty,
  textOf,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { withSellers } from '../sales/sellers.reader.js';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('giftCards', ({ words: own }) => own);

const tones = { unpaid: 'quiet', usable: 'good', expired: 'quiet', blocked: 'bad', replaced: 'quiet', withdrawn: 'quiet' } as const;

/** The gift cards of the venue. A code is worth money: lists and exports have its end only. */
@PanelResource({ panels: 'tenant', position: 117, modules: 'ticketing' })
export class GiftCardsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly cards: GiftCardsService,
    private readonly documents: GiftCardDocumentsService,
    private readonly tenants: TenantsService,
  ) {}

  entry(): PanelEntry {
    const { db, cards } = this;
    const optional = { required: false } as const;
    const declared = declareProperties(
      {
        tail: { isTitle: true, sql: `concat('…', right(gift_card.code, 4))`, sort: false, filter: false, list: true, export: true },
        state: {
          availableValues: Object.keys(giftCardStates),
          tones,
          sql: 'gift_card_state(gift_card)',
          sort: false,
          list: true,
          show: true,
          filter: true,
          export: true,
        },
        balance: {
          type: 'decimal',
          sql: 'gift_card_balance(gift_card.id)',
          sort: false,
          list: true,
          show: true,
          filter: false,
          export: true,
        },
        amount: { help: 'amountHelp', list: true, show: true, form: true, filter: false, export: true },
        recipientName: { ...optional, list: true, show: true, form: true, filter: true, export: true },
        recipientEmail: { ...optional, type: 'email', help: 'emailHelp', show: true, form: true, filter: true, export: true },
        message: { ...optional, show: true, form: true, filter: false },
        note: { required: true, help: 'noteHelp', show: true, form: true, filter: false, export: true },
        buyerName: { show: true, filter: true, export: true },
        buyerEmail: { type: 'email', show: true, filter: true, export: true },
        byUserId: { hidden: true },
        byKeyId: { hidden: true },
        seller: { show: true, export: true },
        issuedAt: { list: true, show: true, filter: true, export: true },
        expiresAt: { list: true, show: true, filter: true, export: true },
        mailedAt: { show: true, export: true },
        blockedAt: { show: true, export: true },
        withdrawnAt: { show: true, export: true },
        replacedById: { reference: 'gift-cards', show: true, filter: false },
        movements: { ...relatedProperty('movements'), show: true },
        id: { show: true, export: true },
      },
      { entity: GiftCard, alias: 'gift_card' },
    );
    const plain = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      where: 'gift_card.issued_at is not null and gift_card.issuer_id is null',
      sort: { by: 'issuedAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'gift-cards',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        const card = row && (await cards.find(id));
        return card ? { ...row, movements: await this.movementsOf(card) } : null;
      },
      create: async (values) => {
        const made = await refusable(() =>
          cards.issue({
            amount: textOf(values['amount']),
            recipientName: textOf(values['recipientName']),
            recipientEmail: textOf(values['recipientEmail']),
            message: textOf(values['message']),
            note: textOf(values['note']),
          }),
        );
        return { id: made.id, name: made.code ?? '' };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'Gift',
      rare: true,
      ...declared.places,
      sort: { by: 'issuedAt', direction: 'desc' },
      actions: {
        pdf: {
          icon: 'Printer',
          visible: ({ state }) => state === 'usable',
          file: { open: 'tab', read: (id) => this.pdf(id) },
        },
        block: this.withReason(
          'Lock',
          (state) => state === 'usable' || state === 'expired',
          (id, note) => cards.setBlocked(id, true, note),
        ),
        unblock: this.withReason(
          'Unlock',
          (state) => state === 'blocked',
          (id, note) => cards.setBlocked(id, false, note),
        ),
        replace: this.withReason(
          'RefreshCw',
          (state, row) => ['usable', 'blocked', 'expired'].includes(state) && Number(row['balance']) > 0,
          (id, note) => cards.replace(id, note),
        ),
      },
      words: inEachLanguage((language) => ({ ...words[language], values: { state: labels(giftCardStates, language) } })),
    };
  }

  /** What moved its value, with the names of other venues. */
  private async movementsOf({ movements }: WholeGiftCard) {
    const { language } = currentPanelRequest();
    const peers = await this.tenants.byIds([...new Set(movements.flatMap(({ peerId }) => peerId ?? []))]);
    const nameOf = (peerId: string | null): string | undefined => peers.find(({ id }) => id === peerId)?.name;
    return related(
      movements.map(({ kind, amount, createdAt, paymentId, peerId }) => ({
        ...(paymentId !== null && { href: recordHref('payments', paymentId) }),
        title: euros(amount, language),
        at: createdAt.toISOString(),
        details: [movementKinds[kind][language], nameOf(peerId)].filter(Boolean).join(' · '),
      })),
    );
  }

  private async pdf(id: string) {
    const card = isUuid(id) ? await this.cards.find(id) : undefined;
    const content = card && (await this.documents.sheetOf(card, 'staff'));
    return content && { name: `gift-card-${id.slice(0, 8)}`, content };
  }

  /** An action that needs a reason, and leads to the card that it changed or made. */
  private withReason(
    icon: string,
    isPossible: (state: string, row: PanelRow) => boolean,
    work: (id: string, note: string) => Promise<WholeGiftCard | undefined>,
  ): PanelAction {
    return formAction({
      icon,
      visible: (row) => isPossible(textOf(row['state']), row),
      form: () => {
        const { reason, submit, reasonLead } = words[currentPanelRequest().language];
        return Promise.resolve({
          lead: [reasonLead],
          fields: [{ name: 'note', kind: 'text', label: reason, longest: cardTexts.note, required: true }],
          submit,
        });
      },
      act: async (id, values) => {
        const note = textOf(values['note']);
        const changed = isUuid(id) ? await refusable(() => work(id, note)) : undefined;
        if (!changed) throw new PanelFieldError({}, words[currentPanelRequest().language].notPossible);
        return changed.id === id
          ? { message: 'giftCardChanged' }
          : { message: 'giftCardReplaced', redirect: recordHref('gift-cards', changed.id) };
      },
    });
  }
}
