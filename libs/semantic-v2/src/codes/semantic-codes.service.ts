import { Injectable } from '@nestjs/common';
import { entityTag, JsonList, reply, toPage, type Preconditions, type Reply } from '#http';
import { bookingProblem, codeKey, CodesService, type CountedCode } from '#tickets';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { toCodeChange, toNewCode, type CodeChangeBody, type NewCodeBody } from './code-body.dto.js';
import { toCode, type CodeAnswer, type CodesQuery } from './code.dto.js';

/** Discount codes of the current tenant. */
@Injectable()
export class SemanticCodesService {
  constructor(private readonly codes: CodesService) {}

  async list(query: CodesQuery): Promise<Reply<JsonList<CodeAnswer>>> {
    const page = toPage(query);
    const key = query.code === undefined ? undefined : (codeKey(query.code) ?? '');
    const { codes, total } = await this.codes.list({ code: key, tag: query.tag, page });
    const list = new JsonList<CodeAnswer>();
    list.add(codes.map(toCode));
    return reply(list, { member: 'results', page: { page, total } });
  }

  async create(body: NewCodeBody): Promise<Reply<CodeAnswer>> {
    const code = await this.codes.create(toNewCode(body));
    return answer(code, `/api/v2/codes/${code.id}/`);
  }

  async get(id: string): Promise<Reply<CodeAnswer>> {
    return answer(await this.codes.find(id));
  }

  async change(id: string, body: CodeChangeBody, conditions: Preconditions): Promise<Reply<CodeAnswer>> {
    const code = await this.codes.update(id, toCodeChange(body), (current) => {
      conditions.check({ tags: [entityTag(toCode(current))] });
      refuseOtherThanAnswered(body, toCode(current), ['identifier', 'uses', 'spent']);
    });
    return answer(code);
  }
}

/** @throws Problem `code.unknown` when there is none */
function answer(code: CountedCode | undefined, location?: string): Reply<CodeAnswer> {
  if (!code) throw bookingProblem('code.unknown');
  return reply(toCode(code), { location });
}
