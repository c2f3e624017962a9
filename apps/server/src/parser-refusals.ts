import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { kernelProblem, problemBody, type Logger, type Problem } from '#kernel';

/** Codes of Node's HTTP parser with their own problem; all others are malformed requests. */
const byCode: Readonly<Record<string, Parameters<typeof kernelProblem>[0]>> = {
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request.headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
};

/**
 * Answers requests that Node refuses before Express sees them (bad framing, headers that are too large or too slow, expectations other
 * than `100-continue`) with problems and a request id, in English, because the headers are unknown. `hostCheck` handles a missing `Host`.
 */
export function answerParserRefusals(server: Server, logger: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node stores the running answer of a connection there.
    const answer = Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined;
    // The client has closed the connection, or an answer has begun, and a second one would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
      socket.destroy(error);
      return;
    }
    const { status, headers, body } = answerOf(kernelProblem(byCode[error.code ?? ''] ?? 'request.malformed'), logger);
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', body].join('\r\n'));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answerOf(kernelProblem('request.expectation'), logger);
    response.writeHead(status, headers).end(body);
  });
}

function answerOf(problem: Problem, logger: Logger): { status: number; headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  logger.info({ requestId, status: problem.status, code: problem.code }, 'refused by the HTTP parser');
  const body = JSON.stringify(problemBody(problem, 'en', requestId));
  const headers = {
    'Content-Length': String(Buffer.byteLength(body)),
    'Content-Type': 'application/problem+json',
    'Content-Language': 'en',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  return { status: problem.status, headers, body };
}
