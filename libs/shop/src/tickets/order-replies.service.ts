import type { Held, Waits } from '#booking';
import { Redirection, reply, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { CartLinks, OrderLinks, pageCookie } from '#pages';
import { Inject, Injectable } from '@nestjs/common';

/** Name of the cookie with the order, or the place in the queue, that a browser began with a form. Only the path of the form gets it. */
export const orderCookie = 'guichet-order';
/** Name of the cookie with the cart of a browser. */
export const cartCookie = 'guichet-cart';

/** Where a buyer goes after the form with the tickets. */
@Injectable()
export class OrderRepliesService {
  constructor(
    private readonly links: OrderLinks,
    private readonly carts: CartLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Redirects to the order, the cart, or the page of the place in the queue.
   * @param slug of the event
   * @param form path that the form was sent to: sent again, it changes the same order or place
   */
  after(outcome: Held | Waits, slug: string, form = `/event/${encodeURI(slug)}/book`): Reply<Redirection> {
    if (outcome.kind === 'cart') return this.toCart(outcome.cartId);
    const { id } = outcome;
    const path = outcome.kind === 'draft' ? this.links.pathTo(id) : this.links.queuePathTo(slug, id);
    return this.redirect(path, orderCookie, this.links.cookieOf(id), { path: form, seconds: this.settings.holdMinutes * 60 });
  }

  /** Redirects to the cart, and lets the browser remember it. */
  toCart(id: string): Reply<Redirection> {
    // As long as a cart can be completed: two holds, and an hour after the last one.
    const seconds = this.settings.holdMinutes * 120 + 3600;
    return this.redirect(this.carts.pathTo(id), cartCookie, this.carts.cookieOf(id), { path: '/cart', seconds });
  }

  private redirect(path: string, name: string, value: string, scope: { path: string; seconds: number }): Reply<Redirection> {
    const cookie = pageCookie(this.settings, name, value, scope);
    return reply(new Redirection(303, path), { headers: { 'Cache-Control': 'no-store', 'Set-Cookie': cookie } });
  }
}
