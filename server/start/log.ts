import pino, { type Logger } from 'pino'
import type { Config } from '../config.ts'

/** Readable lines for a terminal, JSON for everything that collects logs, unless `LOG_FORMAT` says otherwise. */
export function logFormat({ LOG_FORMAT }: Config, isTerminal: boolean): 'json' | 'pretty' {
  return LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json')
}

/** Of an error only what finds its place: its other fields carry addresses and values of rows. */
export function createLog(
  { LOG_LEVEL, LOG_FORMAT }: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  write: (line: string) => void,
): Logger {
  return pino(
    {
      level: LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: Error & { code?: string }) => ({
          type: error.name,
          code: error.code,
          message: error.message,
          stack: error.stack,
        }),
      },
    },
    { write: LOG_FORMAT === 'pretty' ? (line) => write(readable(line)) : write },
  )
}

const INFO = 30

type Entry = { level: number; time: string; msg?: string; err?: { message: string; stack?: string } }

/** Time, how bad it is, what happened, and of an error where. */
function readable(line: string): string {
  const { level, time, msg = '', err } = JSON.parse(line) as Entry
  const { labels } = pino.levels
  const severity = level > INFO ? `${labels[level]?.toUpperCase()} ` : ''
  const cause = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${time.slice(11, 19)} ${severity}${msg}${cause}\n`
}
