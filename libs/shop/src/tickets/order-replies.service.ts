import type { Held, Waits } from '#waiting';
import { Redirection, reply, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { CartLinks, OrderLinks, type PageCookie, pageCookie, pageCookieIn } from '#page-kit';
import { Inject, Injectable } from '@nestjs/common';

/** The cookie with the order, or the place in the queue, that a browser began with the form at a path. */
const orderCookie = (form: string): PageCookie => ({ name: 'guichet-order', about: form });
/** The cookie with the cart of a browser. */
const cartCookie: PageCookie = { name: 'guichet-cart' };

/** The path of the form with the tickets of an event. */
const bookingForm = (slug: string): string => `/event/${encodeURI(slug)}/book`;

interface After {
  readonly form?: string;
  readonly before?: string | undefined;
}

/** Where a buyer goes after the form with the tickets, and what the browser remembers of it. */
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
   * @param before the order or cart that the browser began before; when it is another one, the next page says whether it is the same
   */
  after(outcome: Held | Waits, slug: string, { form = bookingForm(slug), before }: After = {}): Reply<Redirection> {
    if (outcome.kind === 'cart') return this.toCart(outcome.cartId, before);
    const { id } = outcome;
    const after = before === undefined || before === id ? '' : `?after=${this.links.cookieOf(before)}`;
    const path = outcome.kind === 'draft' ? `${this.links.pathTo(id)}${after}` : this.links.queuePathTo(slug, id);
    return this.redirect(path, orderCookie(form), this.links.cookieOf(id), this.settings.holdMinutes * 60);
  }

  /** Redirects to the cart, and lets the browser remember it. @param before see `after` */
  toCart(id: string, before?: string): Reply<Redirection> {
    // As long as a cart can be completed: two holds, and an hour after the last one.
    const seconds = this.settings.holdMinutes * 120 + 3600;
    const after = before === undefined || before === id ? '' : `?after=${this.carts.cookieOf(before)}`;
    return this.redirect(`${this.carts.pathTo(id)}${after}`, cartCookie, this.carts.cookieOf(id), seconds);
  }

  /**
   * The order, or the place in the queue, that this browser began with a form.
   * @param cookie header `Cookie`
   * @param form see `after`
   */
  begun(cookie: string | undefined, slug: string, form = bookingForm(slug)): string | undefined {
    return this.links.orderOf(pageCookieIn(this.settings, cookie, orderCookie(form)));
  }

  /** The cart of this browser. @param cookie header `Cookie` */
  cartOf(cookie: string | undefined): string | undefined {
    return this.carts.cartOf(pageCookieIn(this.settings, cookie, cartCookie));
  }

  private redirect(path: string, cookie: PageCookie, value: string, seconds: number): Reply<Redirection> {
    const set = pageCookie(this.settings, cookie, value, seconds);
    return reply(new Redirection(303, path), { headers: { 'Cache-Control': 'no-store', 'Set-Cookie': set } });
  }
}
