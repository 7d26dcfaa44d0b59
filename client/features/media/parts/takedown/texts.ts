import type { TakedownGround } from '../../../../../contract/takedowns.ts'
import { formatNumber } from '../../../../ui/format.ts'

/** What operators are asked when they take an item down, or release it. */
export const takedownTexts = {
  takeDown: 'Take down',
  question: 'Take this media down?',
  change: 'Save',
  changeQuestion: 'Change the reason?',
  changeEffect: 'It stays down. If the reason or note changes, its creator is told.',
  changed: 'Saved. This media stays down.',
  changeLost: 'The new reason isn’t saved yet.',
  loadFailed: 'We couldn’t load the takedown of this media',
  effect:
    'No one can see or download it from now on, including its owner and the people who bought it. You can release it later.',
  copies: (count: number) =>
    count === 1
      ? 'There is another item with the same file. It has a takedown of its own:'
      : `There are ${formatNumber(count)} other items with the same file. Each has a takedown of its own:`,
  untitled: 'Untitled',
  copyBy: 'by',
  isDown: 'Taken down',
  isDeleted: 'Deleted',
  moreCopies: (count: number) => `${formatNumber(count)} more`,
  ground: 'Reason for the creator',
  grounds: {
    illegal: 'Illegal content',
    consent: 'Missing consent',
    copyright: 'Copyright',
    terms: 'Breaks our terms',
    review: 'Under review',
  } satisfies Record<TakedownGround, string>,
  note: 'Note for the creator (optional)',
  noteHint: 'They read it in the app and by email. Don’t mention who complained.',
  block: 'Block this file from being uploaded again',
  blockHint: 'By anyone, in messages too. Releasing the item ends the block.',
  reason: 'Internal reason',
  lost: 'This media isn’t taken down yet.',
  done: 'Media taken down. Its creator was told why.',
} as const
