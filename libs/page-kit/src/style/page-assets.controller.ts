import { Controller, Get, Param } from '@nestjs/common';
import { reply, type Reply } from '#http';
import { kernelProblem } from '#kernel';
import { Access } from '#tenancy';
import { accentStyle } from './accent-style.js';
import { addressScript, bookingScript, icon, passScript, passWorker, stylesheet } from './page-assets.js';

const assets = new Map([stylesheet, bookingScript, addressScript, passScript, passWorker, icon].map((asset) => [asset.path, asset]));

/** Its scope is one holder's page, which the script that registers it names; it asks this host for that page and its assets. */
const workerHeaders = { 'Service-Worker-Allowed': '/', 'Content-Security-Policy': "default-src 'none'; connect-src 'self'" };

/** Style sheet, script and icon of the public pages. */
@Controller('assets')
@Access('public', 'none')
export class PageAssetsController {
  @Get(':file')
  file(@Param('file') file: string): Reply {
    const path = `/assets/${file}`;
    const accent = accentStyle(path);
    const asset = accent === undefined ? assets.get(path) : { type: 'text/css', content: accent };
    if (!asset) throw kernelProblem('route.unknown');
    const headers = {
      'Content-Type': `${asset.type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...(path === passWorker.path && workerHeaders),
    };
    return reply(asset.content, { headers });
  }
}
