// A name server on UDP with the addresses that a test gives it.

import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { groupsOfIpv6 } from '../../src/model/rights/network.ts';

/** The addresses of a name at this moment; undefined: the name does not exist; 'silent': no answer. */
export type Answers = (name: string) => readonly string[] | 'silent' | undefined;

export interface NameServer {
  /** As `127.0.0.1:port`. */
  readonly server: string;
  /** Names of the queries. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

const TYPE_A = 1;
const NAME_ERROR = 3;

export async function openNameServer(answers: Answers): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const found = answers(name);
    if (found === 'silent') return;
    const fitting = (found ?? []).filter((one) => isIPv4(one) === (type === TYPE_A));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found === undefined ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(fitting.length, 6);
    const records = fitting.map((one) => recordOf(one, type));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** With a pointer to the question as its name, and no time to live. */
function recordOf(address: string, type: number): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        groupsOfIpv6(address)
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      );
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}
