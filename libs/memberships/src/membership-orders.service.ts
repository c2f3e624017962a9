import { answersAgain, contactFaults, isSignedIn, type DraftContact, rememberVerified } from '#tickets';
import { createHash, randomUUID } from 'node:crypto';
import { databaseNow, RefusedInput, RefusedInputs, retryOnDeadlock, SignedLinks, toCents } from '#kernel';
import { CheckoutsService } from '#payments';
import { currentTenant, hasModule, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from './locales/memberships.texts.js';
import {
  askedMembershipOffers,
  isForCart,
  memberBenefits,
  membershipOffer,
  membershipOffers,
  type AskedMembershipOffer,
  type MemberBenefit,
  type MembershipOffer,
} from './membership-offers.js';
import { loadMembership, lockMembership, type WholeMembership } from './rows/membership-rows.js';
import { codedMemberships } from './joining/membership-code.js';
import { renewalAmount, timesOf } from './joining/membership-terms.js';
import { MembershipsService } from './memberships.service.js';

/** What a visitor sends to join. */
export interface JoiningForm {
  readonly priceId: string;
  /** Token of the form, see `begin`. A form that is sent again joins once. */
  readonly token: string;
  /** Chosen amount where the price is free; decimal text. */
  readonly amount: string | undefined;
  /** The membership is to be renewed and charged by itself, where the venue allows it. */
  readonly renewsItself: boolean;
  readonly contact: DraftContact;
  /** As `codeKey` writes it. */
  readonly code?: string | undefined;
  /** Of the visitor, as `siteOfClient` names it. */
  readonly network: string;
}

/** What a member can do about the end of a membership. */
export interface Renewal {
  readonly membership: WholeMembership;
  /** undefined: the price is not sold any more. */
  readonly offer: AskedMembershipOffer | undefined;
  /** Amount of the renewal, decimal text. */
  readonly amount: `${number}`;
  /** The membership that follows already; it may await its payment. */
  readonly next: WholeMembership | undefined;
  /** Of the membership that a renewal now would make. */
  readonly period: { readonly validFrom: Date; readonly validUntil: Date | null };
}

/** Joining and renewing on the public pages. */
@Injectable()
export class MembershipOrdersService {
  constructor(
    private readonly db: TenantDb,
    private readonly memberships: MembershipsService,
    private readonly checkouts: CheckoutsService,
    private readonly links: SignedLinks,
  ) {}

  /** Whether something can be paid on the pages. */
  canPay(): Promise<boolean> {
    return this.checkouts.available();
  }

  /** Whether a membership is sold that can be in a cart with tickets. */
  async sellsForCart(): Promise<boolean> {
    return hasModule('membership') && (await this.canPay()) && (await this.offers()).some(isForCart);
  }

  offers(): Promise<MembershipOffer[]> {
    return this.db.transaction((tx) => membershipOffers(tx));
  }

  /** The offers, with what members of each membership pay less for at coming events. */
  shown(): Promise<{ readonly offers: MembershipOffer[]; readonly benefits: MemberBenefit[] }> {
    return this.db.transaction(async (tx) => {
      const offers = await membershipOffers(tx);
      return { offers, benefits: offers.length === 0 ? [] : await memberBenefits(tx) };
    });
  }

  /** All offers, with the questions of their products. */
  askedOffers(): Promise<AskedMembershipOffer[]> {
    return this.db.transaction((tx) => askedMembershipOffers(tx));
  }

  /** @returns undefined when there is no such published price */
  offer(priceId: string): Promise<AskedMembershipOffer | undefined> {
    return this.db.transaction((tx) => membershipOffer(tx, priceId));
  }

  /**
   * What offers cost with a code, as far as it is for them, by price.
   * @param code as `codeKey` writes it
   * @param asksUses as `codedMemberships`
   * @throws RefusedBooking on `code` when it is for none of them, or cannot be used now
   */
  withCode(
    code: string,
    offers: readonly Pick<MembershipOffer, 'priceId' | 'productId' | 'amount'>[],
    asksUses = true,
  ): Promise<ReadonlyMap<string, { readonly amount: string; readonly saved: string }>> {
    const prices = offers.map(({ priceId: id, productId, amount }) => ({ id, productId, amount }));
    return this.db.transaction((tx) => codedMemberships(tx, code, prices, asksUses));
  }

  /** The token of a new form. */
  begin(priceId: string): string {
    const id = randomUUID();
    return `${id}.${this.links.markOf(formText(priceId, id))}`;
  }

  /** The token of a form that is shown again: the same one, unless its membership ended unpaid. */
  async beginAgain(priceId: string, token: string): Promise<string> {
    const id = this.idOf(priceId, token);
    const known = id === undefined ? undefined : await this.memberships.find(id);
    return id === undefined || (known && isOver(known)) ? this.begin(priceId) : token;
  }

  /**
   * Makes a membership, once for each form: one to be paid with its checkout; a free one is active when the person is signed in, and
   * otherwise awaits the confirmation by mail.
   * @returns undefined when the token is not one of a form for this price
   * @throws RefusedInput on `form` when its membership was cancelled, or was not paid or confirmed in time: `beginAgain`
   * @throws RefusedInputs with the faults of the contact; what `MembershipsService.create` throws
   */
  async join({ priceId, token, amount, renewsItself, contact, code, network }: JoiningForm): Promise<WholeMembership | undefined> {
    const id = this.idOf(priceId, token);
    if (id === undefined) return undefined;
    const known = await this.memberships.find(id);
    if (known && isOver(known)) throw formIsOver();
    const faults = contactFaults(contact);
    if (faults.length > 0) throw new RefusedInputs(faults);
    const { email, firstName, lastName, language, answers, acceptsTerms } = contact;
    const wanted = {
      priceId,
      email,
      firstName,
      lastName,
      language,
      answers,
      acceptsTerms,
      code,
      network,
      renewsItself,
      isTyped: !isSignedIn(contact),
    };
    const made = await this.memberships.create({ ...wanted, id, ...(amount !== undefined && { amount }) });
    // The same form was sent at the same time, and the checkout of that request could not be opened.
    if (isOver(made)) throw formIsOver();
    return made;
  }

  /** @returns undefined when there is no such membership */
  renewal(id: string): Promise<Renewal | undefined> {
    return this.db.transaction(async (tx) => {
      const membership = await loadMembership(tx, id);
      if (!membership) return undefined;
      const [row] = await tx.query<{ id: string }[]>(
        `select id from membership where product_id = $1 and email_key = $2 and id <> $3 and coalesce(valid_until > $4, true)
           and (status = 'active' or status = 'pending' and expires_at > statement_timestamp()) order by created_at desc, id desc limit 1`,
        [membership.productId, membership.emailKey, id, membership.validUntil],
      );
      const offer = await membershipOffer(tx, membership.priceId);
      const next = row && (await loadMembership(tx, row.id));
      const period = await timesOf(tx, {}, membership.price, membership.emailKey);
      return { membership, offer, next, period, amount: renewalAmount(membership) as `${number}` };
    });
  }

  /**
   * Makes the membership that follows, with the same answers; two windows make one. Its mailed link was opened.
   * @param network as in `JoiningForm`
   * @throws RefusedInputs on `terms`; RefusedInput on `form` as in `join`; what `MembershipsService.create` throws
   */
  async renew(
    { membership }: Renewal,
    { renewsItself, ...contact }: Pick<DraftContact, 'acceptsTerms' | 'language'> & { readonly renewsItself: boolean },
    network: string,
  ): Promise<WholeMembership> {
    const { id, email, firstName, lastName, priceId, answers } = membership;
    const faults = contactFaults({ ...emptyContact, ...contact, email });
    if (faults.length > 0) throw new RefusedInputs(faults);
    const made = await this.memberships.create({
      id: await this.nextId(id),
      priceId,
      email,
      firstName,
      lastName,
      ...contact,
      amount: renewalAmount(membership),
      answers: answersAgain(answers),
      answersOptional: true,
      network,
      renewsItself,
    });
    if (isOver(made)) throw formIsOver();
    return made;
  }

  /**
   * Activates a free membership whose owner opened the mailed link. Others stay as they are.
   * @param linkVersion version in the link; a link replaced by a correction of the address has no effect
   * @throws RefusedBooking when it had expired and can no longer be sold, or the person may not have it
   */
  verify(id: string, linkVersion: number): Promise<WholeMembership | undefined> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const locked = await lockMembership(tx, id);
        const membership = await loadMembership(tx, id);
        if (!locked || !membership) return undefined;
        if (!awaitsAddress(membership) || membership.linkVersion !== linkVersion) return membership;
        await rememberVerified(tx, membership.emailKey);
        await this.memberships.activate(tx, locked);
        return loadMembership(tx, id);
      }),
    );
  }

  private idOf(priceId: string, token: string): string | undefined {
    const [id = '', mark = ''] = token.split('.', 2);
    return /^[0-9a-f-]{36}$/.test(id) && this.links.isMarkOf(mark, formText(priceId, id)) ? id : undefined;
  }

  /** The id of the membership that follows: the same for every window, until a renewal was cancelled or its time to pay ended. */
  async nextId(id: string): Promise<string> {
    for (let round = 0; ; round += 1) {
      const digest = createHash('sha256').update(`renewal:${currentTenant().id}:${id}:${round}`).digest('hex');
      const next = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
      const found = await this.memberships.find(next);
      if (!found || !isOver(found)) return next;
    }
  }
}

const emptyContact: DraftContact = {
  email: '',
  firstName: '',
  lastName: '',
  language: 'en',
  ticketIds: [],
  holders: [],
  answers: new Map(),
  ticketAnswers: [],
  acceptsTerms: undefined,
};

/** Whether a free membership awaits the confirmation of its address. */
export function awaitsAddress({ status, amount }: Pick<WholeMembership, 'status' | 'amount'>): boolean {
  return status === 'pending' && toCents(amount) === 0;
}

/** Whether it was cancelled, or its time to pay or confirm has ended. */
function isOver({ status, expiresAt }: Pick<WholeMembership, 'status' | 'expiresAt'>): boolean {
  return status === 'cancelled' || (status === 'pending' && expiresAt !== null && expiresAt <= databaseNow());
}

function formIsOver(): RefusedInput {
  return new RefusedInput('form', texts.localized('memberships.formIsOver'));
}

/** Contains tenant and price, so that a token is valid for the form of one price. */
function formText(priceId: string, id: string): string {
  return `membership form:${currentTenant().id}:${priceId}:${id}`;
}
