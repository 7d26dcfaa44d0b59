import { DELETED_MEDIA_KEPT_DAYS } from '../constants.ts'

/** Refusals of the library, uploads and publishing. */
export const mediaErrors = {
  media_not_found: { status: 404, text: 'We couldn’t find this media.' },
  takedown_changed: {
    status: 409,
    text: 'Someone else took this media down, or changed the reason. Close this and open it again to see it.',
  },
  tag_not_found: { status: 404, text: 'We couldn’t find this tag.', field: 'tagIds' },
  performer_not_found: {
    status: 404,
    text: 'This person isn’t on your list.',
    field: 'performerIds',
  },
  upload_not_found: { status: 404, text: 'We couldn’t find this upload. Please start over.' },
  already_unlocked: { status: 409, text: 'Error. User probably has this media already.' },
  too_many_tags: { status: 409, text: 'An item can have up to 20 tags.', field: 'tagIds' },
  chunks_mismatch: {
    status: 409,
    text: 'These chunks belong to another file. Please start over.',
  },
  upload_already_used: { status: 409, text: 'This file was already uploaded.' },
  too_many_uploads: {
    status: 409,
    text: 'You have too many unfinished uploads. Finish or cancel some first.',
  },
  unfinished_too_large: {
    status: 409,
    text: 'Your unfinished uploads have reached the storage limit. Finish or cancel some first.',
  },
  library_full: {
    status: 409,
    text: 'Your library is full. Delete media you no longer need, then upload again.',
  },
  kept_files_full: {
    status: 409,
    text: `Your deleted and replaced files have reached the storage limit. Deleted files are removed after ${DELETED_MEDIA_KEPT_DAYS} days. Please upload again then.`,
  },
  upload_offset_wrong: {
    status: 409,
    text: 'The server received a different amount. Check how much was received and continue from there.',
  },
  upload_size_differs: {
    status: 409,
    text: 'This file isn’t the same size as the one you started with. Please start over.',
  },
  upload_in_pieces: { status: 409, text: 'This upload was interrupted too many times. Please start over.' },
  upload_too_large: { status: 413, text: 'This file is too large.' },
  red_gif_unreadable: {
    status: 400,
    text: 'This isn’t a RedGifs link or ID. Paste the link to the gif’s page.',
    field: 'redGif',
  },
  not_a_video: { status: 400, text: 'You can only choose a poster for a video.' },
  poster_not_taken: {
    status: 409,
    text: 'We couldn’t make a poster from this moment, so we kept the old one. Try another moment.',
  },
  content_range_invalid: {
    status: 400,
    text: 'Content-Range must be “bytes 0-99/100” with a body, or “bytes */100” without one.',
  },
  chunk_size_wrong: { status: 400, text: 'Every chunk except the last must be 1 MiB.' },
  media_empty: { status: 400, text: 'This file is empty.' },
  media_type_unsupported: {
    status: 400,
    text: 'This file type isn’t supported. Use PNG, JPG, WebP, HEIC, AVIF, GIF, TIFF, BMP, MP4, or MOV.',
  },
  media_unreadable: { status: 400, text: 'This file is damaged and can’t be opened.' },
  media_blocked: { status: 409, text: 'This file was taken down before and can’t be uploaded again.' },
  media_taken_down: {
    status: 409,
    text: 'This item was taken down, so it can’t be changed.',
  },
  media_not_prepared: { status: 409, text: 'We couldn’t prepare this file. Try uploading it again.' },
  media_too_many_pixels: { status: 400, text: 'This photo is larger than 50 megapixels.' },
  media_too_large: { status: 413, text: 'This file is too large.' },
  media_too_long_to_process: {
    status: 400,
    text: 'This file took too long to process. Try a shorter or smaller version.',
  },
  media_no_picture: {
    status: 400,
    text: 'This file has no image in it, or the image is too small.',
  },
  publishing_closed: {
    status: 403,
    text: 'You can’t publish yet. Identity checks and review need to be set up first.',
  },
  must_include_title: { status: 400, text: 'Must include title', field: 'title' },
} as const
