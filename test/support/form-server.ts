import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsOptional, IsString } from 'class-validator';
import type { RequestHandler } from 'express';
import supertest from 'supertest';
import { attachContext, bodyLimits, BodyPipe, enterRequest, FormFiles, BodyGuard, jsonBody, ProblemFilter, TakesForm } from '#http';
import { createLogger, currentRequest, ScopeSlot } from '#kernel';

class ThingBody {
  @IsOptional()
  @IsString({ message: 'Write a text.' })
  name?: string;

  @IsOptional()
  tags?: unknown;

  @IsOptional()
  location?: unknown;
}

/** Stands for the request's tenant, which is stored in such a slot. */
const tenantSlot = new ScopeSlot<string>('tenant');

/** Renders the handler's view of a request: the body, the sizes of the files, and the values of its scope. */
function seen(body: ThingBody, files: Record<string, Buffer> = {}): object {
  const sizes = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.length]));
  return { body, files: sizes, requestId: currentRequest()?.requestId, tenant: tenantSlot.get() };
}

@Controller('things')
class ThingsController {
  @Post('form')
  @HttpCode(200)
  @TakesForm({ files: ['img', 'sticker_img'], nested: ['location'] })
  form(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): object {
    return seen(body, files);
  }

  @Post('hasty')
  @HttpCode(200)
  @TakesForm({ files: ['img'], seconds: 1.6 })
  async hasty(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return seen(body, files);
  }

  @Post('texts')
  @HttpCode(200)
  @TakesForm()
  texts(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): object {
    return seen(body, files);
  }

  @Post('json')
  @HttpCode(200)
  json(@Body() body: ThingBody): object {
    return seen(body);
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** Encodes a multipart body. */
export function wire(...parts: [headers: string, content: string | Buffer][]): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [`--x\r\n${headers}\r\n\r\n`, content, '\r\n']);
  return Buffer.concat([...pieces, '--x--\r\n'].map((piece) => Buffer.from(piece as string)));
}
export const named = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;

/** A server whose routes below `/things/` take forms and answer what their handlers got. */
export class FormServer {
  private app!: NestExpressApplication;
  /** Lines of the log. */
  logged = '';

  static async start(): Promise<FormServer> {
    const server = new FormServer();
    const logger = createLogger({ logLevel: 'debug' }, { write: (line: string) => (server.logged += line) });
    const app = await NestFactory.create<NestExpressApplication>(ThingsModule, { bodyParser: false, logger: false });
    const enterTenant: RequestHandler = ({ context }, _response, next) => tenantSlot.run(`tenant of ${context.requestId}`, next);
    app.use(attachContext, ...jsonBody(), bodyLimits, enterRequest, enterTenant);
    app.useGlobalGuards(new BodyGuard());
    app.useGlobalPipes(new BodyPipe());
    app.useGlobalFilters(new ProblemFilter(logger));
    await app.listen(0, '127.0.0.1');
    server.app = app;
    return server;
  }

  get port(): number {
    return (this.app.getHttpServer().address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  post(path = 'form'): supertest.Test {
    return supertest(this.url).post(`/things/${path}`);
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
