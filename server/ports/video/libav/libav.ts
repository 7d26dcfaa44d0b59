import { AV_LOG_QUIET, Log } from 'node-av'
import { decodeBmp } from './bmp.ts'
import { copyVideo } from './copy-video.ts'
import { decodeHeif } from './heif/decode.ts'
import { makePosterAt } from './poster.ts'
import { Refused } from './refused.ts'
import { isFileFault } from './source.ts'
import { makeVideo } from './video.ts'

// Loading FFmpeg takes as long as refusing a picture: only what needs it imports this.
Log.setLevel(AV_LOG_QUIET)

/**
 * Work with FFmpeg's libraries. Files that they can't read are refused; a fault of the machine is thrown as it is.
 */
export const libav = {
  makeVideo: refusing(makeVideo),
  makePosterAt: refusing(makePosterAt),
  copyVideo: refusing(copyVideo),
  heic: refusing(decodeHeif),
  bmp: refusing(decodeBmp),
}

function refusing<Input, Made>(make: (input: Input) => Promise<Made>): (input: Input) => Promise<Made> {
  return async (input) => {
    try {
      return await make(input)
    } catch (error) {
      throw isFileFault(error) && !(error instanceof Refused) ? new Refused('media_unreadable', error) : error
    }
  }
}
