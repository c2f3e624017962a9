import { Controller, createParamDecorator, Get, Param, type ExecutionContext } from '@nestjs/common';
import { Redirection, reply, type Reply } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { Request } from 'express';
import { DoorAppService } from './door-app.service.js';
import { texts } from '../locales/scan.texts.js';

/**
 * Allows what the app needs and nothing from elsewhere: its script and decoder, camera pictures, requests to this host. The policy also
 * counts for the decoder's worker, which compiles WebAssembly.
 */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const common = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
  'X-Robots-Tag': 'noindex',
};

const forever = 'public, max-age=31536000, immutable';

const Asked = createParamDecorator((_options: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>());

/** The scanner app. Its files are the same on every host; only its name is that of the place. */
@Controller('door')
@NeedsModule('scanning')
@Access('public', 'none')
export class DoorAppController {
  constructor(private readonly door: DoorAppService) {}

  @Get()
  shell(@Asked() request: Request): Reply<Buffer | Redirection> {
    // The router does not distinguish `/door` and `/door/`. The service worker covers `/door/`. Browsers keep the part after `#` when they
    // follow a redirect.
    if (!request.path.endsWith('/')) return reply(new Redirection(301, '/door/'), { headers: common });
    return this.answer('index.html', request);
  }

  @Get('manifest.webmanifest')
  manifest(): Reply<string> {
    const language = currentLanguage();
    const { name } = currentTenant();
    const body = JSON.stringify({
      id: '/door/',
      start_url: '/door/',
      scope: '/door/',
      name: texts.translate(language, 'app.name', { place: name }),
      short_name: name,
      description: texts.translate(language, 'app.description'),
      lang: language,
      display: 'standalone',
      background_color: '#181318',
      theme_color: '#181318',
      icons: [
        { src: '/door/icon.svg', type: 'image/svg+xml', sizes: 'any' },
        { src: '/door/icon-192.png', type: 'image/png', sizes: '192x192' },
        { src: '/door/icon-512.png', type: 'image/png', sizes: '512x512' },
        { src: '/door/icon-maskable.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
      ],
    });
    const headers = { ...common, 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' };
    return reply(body, { headers, vary: 'Accept-Language' });
  }

  @Get(':file')
  file(@Param('file') file: string, @Asked() request: Request): Reply<Buffer> {
    return this.answer(file, request);
  }

  /** @throws Problem 404 `route.unknown` */
  private answer(name: string, request: Request): Reply<Buffer> {
    const found = this.door.app.file(name, (encoding) => request.acceptsEncodings(encoding) === encoding);
    if (!found) throw kernelProblem('route.unknown');
    const { bytes, encoding, immutable, type } = found;
    const headers = {
      ...common,
      'Content-Type': type,
      'Cache-Control': immutable ? forever : 'no-cache',
      ETag: `W/"${this.door.version}"`,
      ...(encoding && { 'Content-Encoding': encoding }),
      ...(name === 'sw.js' && { 'Service-Worker-Allowed': '/door/' }),
    };
    return reply(() => Promise.resolve(bytes), { headers, vary: 'Accept-Encoding' });
  }
}
