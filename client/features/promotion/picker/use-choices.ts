import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RefusedSubreddit } from '../../../../contract/forum.ts'
import { MAX_SUBREDDITS_CHOSEN } from '../../../../contract/promotion.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { carries, useUnsaved } from '../../../lib/unsaved.ts'
import { toast } from '../../../ui/toast.ts'
import { refusalSentence } from '../parts/refusals.ts'
import { type Post, postQuery } from '../posts/api.ts'
import {
  type Choices,
  type Move,
  moved,
  movesBack,
  type Place,
  placeOf,
  type Settled,
  settledAs,
  takable,
} from './choices.ts'
import { pickerTexts as texts } from './texts.ts'

/** How long moves rest before they are saved together. */
const SAVE_AFTER_MS = 600

/** A subreddit that the server left out of the last save, and where it was to go. */
type LeftOut = RefusedSubreddit & { place: Place }

const choicesOf = ({ usableSubreddits, discardedSubreddits }: Post): Choices => ({
  usable: usableSubreddits,
  discarded: discardedSubreddits,
})

const settledOf = ({ subredditsOnTimeline, postedSubreddits }: Post): Settled => ({
  onTimeline: subredditsOnTimeline,
  posted: postedSubreddits.map(({ subreddit }) => subreddit),
})

/**
 * A post’s subreddits: the server's, with the moves that aren't saved yet. Moves show at once, and are saved together
 * a moment later, each on top of the server's state by then, so that two tabs don’t overwrite each other.
 */
export function useChoices(post: Post) {
  const [unsaved, setUnsaved] = useState<readonly Move[]>([])
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([])
  const client = useQueryClient()
  // Saving stores the answer a moment before the page gets it.
  const latest = () => client.getQueryData(postQuery(post._id).queryKey) ?? post
  const known = () => choicesOf(latest())
  const choices = unsaved.reduce(moved, known())
  const waiting = useRef(unsaved)
  const wait = (moves: readonly Move[]) => {
    waiting.current = moves
    setUnsaved(moves)
  }

  const isGone = useRef(false)
  const save = useSave(post._id, {
    movesToSave: () => waiting.current,
    onSaved: (saved, refused) => {
      wait(waiting.current.filter((move) => !saved.includes(move)))
      const named = (name: string) => saved.some(({ names }) => names.includes(name))
      setLeftOut((before) => [...before.filter(({ name }) => !named(name)), ...refused])
      // The page that would say so is left.
      if (isGone.current && refused.length > 0) toast.failure(refused.map(refusalSentence).join(' '))
    },
    onFailed: (error) => isGone.current && toast.failure(`${texts.saveFailed} ${errorMessage(error)}`),
  })
  const { mutate } = save
  useEffect(() => {
    if (unsaved.length === 0) return
    const timer = setTimeout(mutate, SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [unsaved, mutate])
  useEffect(() => {
    isGone.current = false
    const stop = carries(() => waiting.current.length > 0)
    return () => {
      stop()
      isGone.current = true
      // Leaving saves at once what still rests.
      if (waiting.current.length > 0) mutate()
    }
  }, [mutate])
  const hasFailed = save.isError && unsaved.length > 0
  useUnsaved(hasFailed ? texts.lost : null)

  const add = (moves: readonly Move[]) => {
    wait([...waiting.current, ...moves])
    if (isGone.current) mutate()
  }
  return {
    choices,
    settled: settledOf(latest()),
    state: hasFailed ? ('failed' as const) : unsaved.length > 0 ? ('saving' as const) : ('saved' as const),
    error: save.error,
    retry: () => mutate(),
    leftOut,
    forgetLeftOut: () => setLeftOut([]),
    /** Names again what was left out, each where it was to go. */
    nameAgain: (again: readonly LeftOut[]) => add(again.map(({ name, place }) => ({ names: [name], place }))),
    /** Puts subreddits somewhere else, without those that are settled, and offers to take that back. */
    move(names: readonly string[], place: Place) {
      const before = waiting.current.reduce(moved, known())
      const settled = settledOf(latest())
      const movable = names.filter((name) => settledAs(settled, name) === null)
      const stayed = names.length - movable.length
      const next = moved(before, { names: movable, place })
      if (next.usable.length > MAX_SUBREDDITS_CHOSEN || next.discarded.length > MAX_SUBREDDITS_CHOSEN) {
        toast.failure(texts.full)
        return
      }
      const changed = movable.filter((name) => placeOf(before, name) !== place)
      if (changed.length === 0) {
        if (stayed > 0) toast.note(texts.stayed(stayed))
        return
      }
      add([{ names: changed, place }])
      // Selecting is the rule, and taken back by the same button: a message for each would be in the way.
      if (place === 'usable' && names.length === 1) return
      const said = saidOf(changed, place)
      toast.offer(stayed > 0 ? `${said}. ${texts.stayed(stayed)}` : said, {
        label: texts.undo,
        onAct: () => add(movesBack(before, changed)),
      })
    },
  }
}

function saidOf(names: readonly string[], place: Place): string {
  if (place === 'usable') return texts.didSelect(names.length)
  return place === 'discarded' ? texts.didDiscard(names.length) : texts.didRemove(names[0] ?? '')
}

type SaveOptions = {
  /** Asked when its turn comes. */
  movesToSave: () => readonly Move[]
  onSaved: (saved: readonly Move[], refused: LeftOut[]) => void
  onFailed: (error: unknown) => void
}

/** Saves moves one time after another, each upon the post as the server has it by then. */
function useSave(redditPostId: string, { movesToSave, onSaved, onFailed }: SaveOptions) {
  const client = useQueryClient()
  const { queryKey } = postQuery(redditPostId)
  return useMutation({
    scope: { id: `picker ${redditPostId}` },
    mutationFn: async () => {
      const moves = movesToSave()
      if (moves.length === 0) return null
      const now = await call(routes.post, { params: { redditPostId } })
      const wanted = moves.reduce(moved, choicesOf(now))
      const { choices, refused: unfit } = takable(wanted)
      const answer = await call(routes.editPost, {
        params: { redditPostId },
        body: { usableSubreddits: [...choices.usable], discardedSubreddits: [...choices.discarded] },
      })
      const { refused, ...post } = answer
      const all = [...refused, ...unfit.map((name) => ({ name, code: 'subreddit_not_found' as const }))]
      return { moves, post, refused: all.map((one) => ({ ...one, place: placeOf(wanted, one.name) })) }
    },
    onSuccess: async (done) => {
      if (!done) return
      // An earlier request would show an earlier state.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, done.post)
      onSaved(done.moves, done.refused)
    },
    onError: onFailed,
    meta: {
      outdates: [
        [...roots.promotion, 'posts', 'all'],
        [...roots.promotion, 'subreddits'],
      ],
    },
  })
}
