import { Injectable, type OnModuleInit } from '@nestjs/common';
import { fromCents, retryOnDeadlock, toCents } from '#kernel';
import { JobPostponed, JobsService } from '#jobs';
import { currentTenant, TenantDb, TenantsService, type Tx } from '#tenancy';
import { limits } from '../limits.js';
import { codeTail, lockCard, valued, type ValuedGiftCard } from '../rows/card-rows.js';
import { GiftCard } from '../rows/gift-card.entity.js';
import { RefusedGiftCard, refuseUnusable } from '../rows/refused-gift-card.js';
import {
  receiveTransfers,
  returnedTransfers,
  sendRest,
  sendTransfer,
  sentTransfers,
  takeBack,
  type CardTransfer,
} from './card-transfers.js';
import {
  agrees,
  codeHash,
  idOfForeignCard,
  listCards,
  listedCardStatement,
  takesCardsStatement,
  type ListedCard,
} from '../rows/network-card-rows.js';
import { inPlace, isSilence } from './other-venue.js';

/** A job of a card: what passes between two venues arrives. The trigger of payments adds it, too. */
const networkCardJob = 'network-card';

/** What a card of another venue is worth there. */
export type IssuerValue = Pick<ValuedGiftCard, 'state' | 'balance' | 'expiresAt' | 'amount'>;
type ForeignCard = Pick<GiftCard, 'id' | 'issuerId' | 'issuerCardId'>;

/** What was taken from a card of another venue, and is to arrive here. */
export interface TakenValue {
  readonly card: ForeignCard;
  readonly transfer: CardTransfer;
}

/**
 * Gift cards that pay at other venues of a network. Their value stays at the venue that issued them; a payment is a saga, because both may
 * be on two database servers: the issuer sends the amount (`sendTransfer`), the transaction of the payment receives it and pays with it,
 * and what is given back or refunded there is sent back. Each step is written once, by the id of its transfer, and is finished by a job
 * when the process dies in between: a transfer that was sent arrives, and what nobody paid with goes back.
 */
@Injectable()
export class NetworkCardsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(networkCardJob, (cardId) => this.finish(cardId));
  }

  /** Lists the codes of all cards of the current venue, before it shares them with a network. */
  list(): Promise<void> {
    return this.db.transaction((tx) => listCards(tx));
  }

  /**
   * A card of another venue with a code, when both agree on it. It has a row here then, without a value.
   * @returns also a card that cannot pay (any more); undefined: there is none
   * @throws RefusedGiftCard `silent` when it is not known now; `left` when it has paid here, but does not any more
   */
  async look(code: string): Promise<ValuedGiftCard | undefined> {
    const own = currentTenant();
    const [takes] = await this.db.sharedStatement<{ takes: boolean }>(takesCardsStatement, [own.id]);
    const found = (
      await this.db.onEachNode(() =>
        this.db.sharedStatement<ListedCard & Record<string, unknown>>(listedCardStatement, [codeHash(code), own.id]),
      )
    ).flat();
    const listed = found.find(({ pays }) => pays);
    if (listed) return this.valuedRow(listed, code);
    if (takes?.takes && this.db.silentNodes.length > 0) throw new RefusedGiftCard('silent');
    const ids = found.map(({ issuerId, cardId }) => idOfForeignCard(issuerId, cardId));
    if (ids.length > 0 && (await this.db.transaction((tx) => tx.find(GiftCard, { where: ids.map((id) => ({ id })) }))).length > 0)
      throw new RefusedGiftCard('left');
    return undefined;
  }

  /** The value of cards of other venues in place of their own. @throws RefusedGiftCard `silent`, `left` */
  async withIssuers(cards: readonly ValuedGiftCard[]): Promise<ValuedGiftCard[]> {
    const found: ValuedGiftCard[] = [];
    for (const card of cards) found.push(card.issuerId === null ? card : { ...card, ...(await this.valueOf(card)) });
    return found;
  }

  /**
   * Takes an amount from a card of another venue, or what it has left. It has to arrive in the transaction that pays with it, see `arrive`;
   * call `giveBack` after that, also when it failed.
   * @returns undefined when nothing is left
   * @throws RefusedGiftCard
   */
  async take(card: ForeignCard, cents: number): Promise<TakenValue | undefined> {
    const payeeId = currentTenant().id;
    const transfer = await this.atIssuer(card, async (tx, cardId) => {
      if (!(await agrees(tx, payeeId))) throw new RefusedGiftCard('left');
      const locked = await lockCard(tx, cardId);
      if (!locked) throw new RefusedGiftCard('unknown');
      if (locked.state !== 'usable') refuseUnusable(locked);
      const taken = Math.min(cents, toCents(locked.balance));
      if (taken <= 0) return undefined;
      await this.jobs.add(tx, networkCardJob, cardId, { afterSeconds: limits.transfers.number });
      return sendTransfer(tx, cardId, payeeId, fromCents(taken));
    });
    return transfer && { card, transfer };
  }

  /** What was taken arrives, in the transaction that pays with it. Locks the cards, as payments do: last, by their ids. */
  async arrive(tx: Tx, taken: readonly TakenValue[], cardId: string): Promise<void> {
    const ofCard = taken.filter(({ card }) => card.id === cardId);
    const issuerId = ofCard[0]?.card.issuerId;
    if (issuerId)
      await receiveTransfers(
        tx,
        cardId,
        issuerId,
        ofCard.map(({ transfer }) => transfer),
      );
  }

  /** After the payment: sends back what was not paid with. What cannot be sent now is sent by the job that `take` added. */
  async giveBack(taken: readonly TakenValue[]): Promise<void> {
    for (const { card, transfer } of taken) await this.settle(card, [transfer]).catch(() => undefined);
  }

  /** The job of a card: what it has sent arrives, what comes back is with its venue. @param seconds how long a payment may take */
  async finish(cardId: string, seconds: number = limits.transfers.number): Promise<void> {
    const card = await this.db.transaction((tx) => tx.findOneBy(GiftCard, { id: cardId }));
    if (card && card.issuerId !== null) await this.sendBack(card);
    else if (card) await this.finishSent(card, seconds);
  }

  private async finishSent({ id: cardId, code, amount }: GiftCard, seconds: number): Promise<void> {
    const { id: issuerId } = currentTenant();
    const sent = await this.db.transaction((tx) => sentTransfers(tx, cardId, seconds));
    for (const peer of await this.tenants.byIds([...new Set(sent.map(({ peerId }) => peerId))])) {
      const due = sent.filter(({ peerId, isRecent }) => peerId === peer.id && !isRecent);
      const card = { id: idOfForeignCard(issuerId, cardId), issuerId, issuerCardId: cardId };
      await inPlace(peer, async () => {
        await this.db.transaction((tx) => addRow(tx, { ...card, tail: codeTail(code), amount }));
        await this.settle(card, due);
      }).catch(postpone);
    }
    if (sent.some(({ isRecent }) => isRecent)) throw new JobPostponed(seconds);
  }

  /** Transfers arrive, unless they have; what is left then goes back. */
  private settle(card: ForeignCard, transfers: readonly CardTransfer[]): Promise<void> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await receiveTransfers(tx, card.id, card.issuerId as string, transfers);
        if (await sendRest(tx, card.id)) await this.jobs.add(tx, networkCardJob, card.id);
      }),
    );
  }

  private async sendBack(card: ForeignCard): Promise<void> {
    const { id: peerId } = currentTenant();
    const returned = await this.db.transaction((tx) => returnedTransfers(tx, card.id));
    const [issuer] = await this.tenants.byIds([card.issuerId as string]);
    if (!issuer || returned.length === 0) return;
    await inPlace(issuer, () =>
      retryOnDeadlock(() => this.db.transaction((tx) => takeBack(tx, card.issuerCardId as string, peerId, returned))),
    ).catch(postpone);
  }

  /** @throws RefusedGiftCard `silent`, `left` */
  private valueOf(card: ForeignCard): Promise<IssuerValue> {
    const payeeId = currentTenant().id;
    return this.atIssuer(card, async (tx, cardId) => {
      if (!(await agrees(tx, payeeId))) throw new RefusedGiftCard('left');
      const [found] = await valued(tx, await tx.find(GiftCard, { where: { id: cardId } }));
      if (!found) throw new RefusedGiftCard('unknown');
      const { state, balance, expiresAt, amount } = found;
      return { state, balance, expiresAt, amount };
    });
  }

  private async valuedRow({ issuerId, cardId }: ListedCard, code: string): Promise<ValuedGiftCard> {
    const card = { id: idOfForeignCard(issuerId, cardId), issuerId, issuerCardId: cardId };
    const value = await this.valueOf(card);
    return this.db.transaction(async (tx) => {
      await addRow(tx, { ...card, tail: codeTail(code), amount: value.amount });
      return Object.assign(await tx.findOneByOrFail(GiftCard, { id: card.id }), value);
    });
  }

  /** @throws RefusedGiftCard `silent` when the database server of the venue does not answer, or the venue is moved */
  private async atIssuer<Result>(card: ForeignCard, work: (tx: Tx, cardId: string) => Promise<Result>): Promise<Result> {
    const [issuer] = await this.tenants.byIds([card.issuerId as string]);
    if (!issuer) throw new RefusedGiftCard('left');
    try {
      return await inPlace(issuer, () => retryOnDeadlock(() => this.db.transaction((tx) => work(tx, card.issuerCardId as string))));
    } catch (error) {
      // Here, because a refusal is in the language of the request.
      if (error instanceof RefusedGiftCard) throw new RefusedGiftCard(error.reason);
      throw isSilence(error) ? new RefusedGiftCard('silent') : error;
    }
  }
}

/** The other venue cannot be asked now: this does not count as an attempt, because money is not given up. */
function postpone(error: unknown): never {
  throw isSilence(error) ? new JobPostponed(limits.silentIssuer.number) : error;
}

/** The row of a card of another venue. */
async function addRow(tx: Tx, card: ForeignCard & { readonly tail: string; readonly amount: string }): Promise<void> {
  await tx.query(
    `insert into gift_card (id, issuer_id, issuer_card_id, code_tail, amount, issued_at) values ($1, $2, $3, $4, $5, now())
     on conflict do nothing`,
    [card.id, card.issuerId, card.issuerCardId, card.tail, card.amount],
  );
}
