import { Injectable } from '@nestjs/common';
import type { Tx } from '#tenancy';
import type { NetworkKeys } from '#tickets';
import { DraftExpiryService } from '../drafts/draft-expiry.service.js';
import { choiceOf, lockDraft } from '../drafts/draft-rows.js';
import { DraftsService } from '../drafts/drafts.service.js';
import type { DraftLine } from '../drafts/wanted-draft.js';
import { withPasses } from './cart-passes.js';

interface DateOfPass {
  readonly eventId: string;
  readonly passes: readonly DraftLine[];
  /** What the cart has for the date. */
  readonly part: { readonly id: string; readonly eventId: string } | undefined;
  readonly cartId: string;
}

/** Books and frees the dates of passes in a cart. */
@Injectable()
export class BookedDatesService {
  constructor(
    private readonly drafts: DraftsService,
    private readonly expiry: DraftExpiryService,
  ) {}

  /** Books the passes of a cart for a date; without any ticket, the date leaves the cart. @throws like `DraftsService.hold` */
  async book(tx: Tx, { eventId, passes, part, cartId }: DateOfPass, networks: NetworkKeys): Promise<void> {
    const before = part ? await choiceOf(tx, part) : { eventId, lines: [], options: [] };
    const choice = { ...before, lines: withPasses(before.lines, passes), allDates: true };
    if (choice.lines.length === 0) {
      if (part) await this.free(tx, part.id);
    } else if (!part || !(await this.drafts.changeIn(tx, part.id, choice))) {
      await this.drafts.holdIn(tx, choice, networks, { cartId });
    }
  }

  /** Removes a part of a cart, with all its tickets. */
  async free(tx: Tx, id: string): Promise<void> {
    const draft = await lockDraft(tx, id);
    if (draft) await this.expiry.remove(tx, draft);
  }
}
