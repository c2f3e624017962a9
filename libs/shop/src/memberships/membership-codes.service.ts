import { MembershipOrdersService, type AskedMembershipOffer } from '#memberships';
import { RefusedInput } from '#kernel';
import { savedWords, type EnteredCode } from '#pages';
import { EnteredCodesService } from '#selling';
import { Injectable } from '@nestjs/common';

/** An offer with the code that somebody entered at it. */
export interface CodedOffer {
  /** With the amount that is paid; what the member chooses is reduced later. */
  readonly offer: AskedMembershipOffer;
  /** As it is stored; undefined: none is used. */
  readonly code?: string;
  /** What the field for it shows; undefined: nothing was entered. */
  readonly entered?: EnteredCode;
}

/** What codes do that visitors enter at a membership. */
@Injectable()
export class MembershipCodesService {
  constructor(
    private readonly codes: EnteredCodesService,
    private readonly orders: MembershipOrdersService,
  ) {}

  /**
   * @param client IP address of the visitor: trying codes is limited
   * @param isSent with the form, which may have its use already: the purchase decides
   */
  async at(offer: AskedMembershipOffer, typed: string, client: string, isSent = false): Promise<CodedOffer> {
    try {
      const code = await this.codes.enter(typed, client);
      const coded = code === undefined ? undefined : (await this.orders.withCode(code, [offer], !isSent)).get(offer.priceId);
      if (code === undefined || !coded) return { offer };
      const { freeAmount } = offer;
      const entered = { typed: code, notes: [savedWords({ code, saved: freeAmount ? '0' : coded.saved })] };
      return { offer: freeAmount ? offer : { ...offer, amount: coded.amount as `${number}` }, code, entered };
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return { offer, entered: { typed: typed.slice(0, 60), fault: error.message } };
    }
  }
}
