import { FollowersService } from '#notices';
import { isSignedIn } from '#tickets';
import { reader } from '#page-kit';
import { PublicEventsService } from '#pages';
import { currentLanguage, RefusedInput, siteOfClient } from '#kernel';
import { Injectable } from '@nestjs/common';

/** Buyers who tick the box of an order form to follow the venue. */
@Injectable()
export class FollowingBuyersService {
  constructor(
    private readonly followers: FollowersService,
    private readonly venue: PublicEventsService,
  ) {}

  /**
   * Follows the venue when the box of a completed order is ticked. A refusal is not shown: the order matters.
   * @param client network address
   * @param signedIn the address of who is signed in
   */
  async take(body: unknown, client: string, signedIn: string | undefined): Promise<void> {
    const textOf = reader(body);
    if (textOf('follow') === '' || !(await this.venue.venue()).canBeFollowed) return;
    const email = textOf('email').trim();
    const isOwn = isSignedIn({ email, signedIn });
    try {
      await this.followers.ask({ email, language: currentLanguage(), isOwn }, siteOfClient(client));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
    }
  }
}
