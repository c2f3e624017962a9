import type { Request, Response } from 'express';
import { ApiProperty } from '@nestjs/swagger';
import { may } from '#kernel';
import { texts } from '../locales/http.texts.js';

const largestPage = 500;
/** Length of a page when only `page` is sent. */
export const defaultPageSize = 100;

const whole = (value: unknown, most: number): boolean =>
  typeof value === 'string' && /^\d{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= most;

/** Query of a list of the first API (decisions 7). Without parameters the whole list is answered. */
export class PageQuery {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Number of the page, from 1.' })
  @may('isPage', (value) => whole(value, 1_000_000), texts.localized('paging.pageInvalid'))
  page?: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: largestPage, description: 'Length of a page; 100 when only `page` is sent.' })
  @may('isPageSize', (value) => whole(value, largestPage), texts.localized('paging.pageSizeInvalid', { largestPage }))
  page_size?: string;
}

/** A part of a list, in TypeORM's terms. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** The requested page; undefined without parameters. Default size: 100; default number: 1. */
export function toPage({ page, page_size: size }: PageQuery): Page | undefined {
  if (page === undefined && size === undefined) return undefined;
  const take = Number(size ?? defaultPageSize);
  return { skip: (Number(page ?? 1) - 1) * take, take };
}

/** Adds `Link` headers (RFC 8288) for the first, previous, next and last page. Adds nothing to a whole list. */
export function showPages(request: Request, response: Response, page: Page | undefined, total: number): void {
  if (!page) return;
  const current = page.skip / page.take + 1;
  const last = Math.max(1, Math.ceil(total / page.take));
  const [path = '', query] = request.originalUrl.split('?');
  const others = [...new URLSearchParams(query)].filter(([name]) => name !== 'page' && name !== 'page_size');
  const link = (number: number, rel: string): string => {
    const parameters = new URLSearchParams({ page: `${number}`, page_size: `${page.take}` });
    for (const [name, value] of others) parameters.append(name, value);
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  response.append('Link', [
    link(1, 'first'),
    ...(current > 1 ? [link(Math.min(current - 1, last), 'prev')] : []),
    ...(current < last ? [link(current + 1, 'next')] : []),
    link(last, 'last'),
  ]);
}
