import {
  AV_LOG_QUIET,
  AVERROR_EACCES,
  AVERROR_EIO,
  AVERROR_ENOMEM,
  AVERROR_ENOSPC,
  FFmpegError,
  Log,
} from 'node-av'
import { makePosterAt } from './poster.ts'
import { Refused } from './refused.ts'
import { makeVideo } from './video.ts'

// Loading FFmpeg takes as long as refusing a picture: only videos import this.
Log.setLevel(AV_LOG_QUIET)

/** What is made with FFmpeg's libraries. What they cannot read is refused; a fault of the machine is thrown as it is. */
export const libav = { makeVideo: refusing(makeVideo), makePosterAt: refusing(makePosterAt) }

function refusing<Input, Made>(make: (input: Input) => Promise<Made>): (input: Input) => Promise<Made> {
  return async (input) => {
    try {
      return await make(input)
    } catch (error) {
      if (error instanceof FFmpegError && !isMachineFault(error)) throw new Refused('media_unreadable', error)
      throw error
    }
  }
}

/** A full disk or exhausted memory says nothing about the file: the same job may succeed later. */
function isMachineFault(error: FFmpegError): boolean {
  return [AVERROR_ENOSPC, AVERROR_EIO, AVERROR_ENOMEM, AVERROR_EACCES].some((code) => code === error.code)
}
