import { Controller, Get, Param, Res } from '@nestjs/common';
import { kernelProblem } from '#kernel';
import { Access } from '#tenancy';
import type { Response } from 'express';
import { icon, stylesheet } from './page-assets.js';

const assets = new Map([stylesheet, icon].map((asset) => [asset.path, asset]));

/** Style and icon of the public pages. */
@Controller('assets')
@Access('public', 'none')
export class PageAssetsController {
  @Get(':file')
  file(@Param('file') file: string, @Res() response: Response): void {
    const asset = assets.get(`/assets/${file}`);
    if (!asset) throw kernelProblem('route.unknown');
    response.set({
      'Content-Type': `${asset.type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    response.send(asset.content);
  }
}
