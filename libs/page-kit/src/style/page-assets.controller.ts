import { Controller, Get, Param } from '@nestjs/common';
import { reply, type Reply } from '#http';
import { kernelProblem } from '#kernel';
import { Access } from '#tenancy';
import { assetAt, assetPath } from './page-assets.js';
import { themeStyle } from './theme-style.js';

/** Its scope is one holder's page, which the script that registers it names; it asks this host for that page and its assets. */
const workerHeaders = { 'Service-Worker-Allowed': '/', 'Content-Security-Policy': "default-src 'none'; connect-src 'self'" };

/** Style sheets, scripts, fonts and icon of the public pages. */
@Controller('assets')
@Access('public', 'none')
export class PageAssetsController {
  @Get(':file')
  file(@Param('file') file: string): Reply<string | Buffer> {
    const path = `/assets/${file}`;
    const theme = themeStyle(path);
    const asset = theme === undefined ? assetAt(path) : { type: 'text/css; charset=utf-8', content: theme };
    if (!asset) throw kernelProblem('route.unknown');
    const headers = {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...(path === assetPath('pass-worker.js') && workerHeaders),
    };
    return reply(asset.content, { headers });
  }
}
