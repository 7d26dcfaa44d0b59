import { IconCheck, IconPhoto } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { Media } from '../../media/api.ts'
import { MediaTile } from '../../media/parts/tile/MediaTile.tsx'
import { tileTexts } from '../../media/parts/tile/texts.ts'
import { useRenewed } from '../../media/parts/use-renewed.ts'
import { attachableQuery } from '../api.ts'
import { libraryTexts as texts } from '../occasional-texts.ts'
import type { Attachable } from '../outbox/outgoing.ts'
import styles from './Composer.module.css'
import { isFree } from './writing.ts'

type LibraryPickerProps = {
  opened: boolean
  /** How many can be attached. */
  most: number
  attached: readonly Attachable[]
  /** They have a price, so what everyone sees for free can't be among them. */
  sold?: boolean
  /** The purpose of choosing, if that is not a message being written. */
  title?: string
  submit?: (count: number) => string
  /** What is chosen along with the library's items, such as new files, and the part above them that shows it, by how many items are chosen. */
  others?: { count: number; ready: boolean; part: (chosen: number) => ReactNode }
  /** What was chosen is being sent: nothing of it can be changed, nor the dialog closed. */
  sending?: boolean
  onClose: () => void
  onAttach: (items: readonly Attachable[]) => void
}

/** Chooses what of the creator's own library hangs on the message. */
export default function LibraryPicker({
  opened,
  onClose,
  title = texts.title,
  ...chooser
}: LibraryPickerProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} closable={!chooser.sending}>
      {opened && <Chooser {...chooser} />}
    </Dialog>
  )
}

const NO_OTHERS = { count: 0, ready: true, part: () => null }

type ChooserProps = Omit<LibraryPickerProps, 'opened' | 'onClose' | 'title'>

function Chooser({
  most,
  attached,
  sold = false,
  submit = texts.attach,
  others = NO_OTHERS,
  sending = false,
  onAttach,
}: ChooserProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly Attachable[]>(attached)
  const list = useList({ ...attachableQuery(search), placeholderData: keepPreviousData })
  const toggle = (media: Attachable) =>
    setChosen((before) =>
      before.some(({ _id }) => _id === media._id)
        ? before.filter(({ _id }) => _id !== media._id)
        : [...before, media],
    )
  return (
    <>
      {others !== NO_OTHERS && (
        <fieldset className={styles.others} disabled={sending}>
          {others.part(chosen.length)}
        </fieldset>
      )}
      <SearchBox
        label={texts.search}
        placeholder={texts.search}
        value={search}
        onChange={setSearch}
        maxLength={100}
      />
      <div className={styles.choices}>
        <GrowingList
          list={list}
          failed={texts.loadFailed}
          waiting={<SkeletonLines />}
          empty={
            <EmptyState Icon={IconPhoto} title={search ? texts.noResults : texts.empty}>
              {search ? null : texts.emptyHint}
            </EmptyState>
          }
        >
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no grid in every browser. */}
          <div role="group" aria-label={texts.label} className={styles.grid}>
            {list.items.map((media) => (
              <Choice
                key={media._id}
                media={media}
                checked={chosen.some(({ _id }) => _id === media._id)}
                unsellable={sold && isFree(media)}
                full={chosen.length >= most}
                settled={sending}
                onToggle={toggle}
              />
            ))}
          </div>
        </GrowingList>
      </div>
      <Button
        fullWidth
        loading={sending}
        disabled={chosen.length + others.count === 0 || !others.ready}
        onClick={() => onAttach(chosen)}
      >
        {submit(chosen.length)}
      </Button>
    </>
  )
}

type ChoiceProps = {
  media: Media
  checked: boolean
  /** It would be sold, but everyone sees it for free. */
  unsellable: boolean
  /** No more can be chosen. */
  full: boolean
  /** Neither can it be chosen now, nor taken back. */
  settled: boolean
  onToggle: (media: Attachable) => void
}

/** One item to choose, with links that work however long the library has been open. */
function Choice({ media: given, checked, unsellable, full, settled, onToggle }: ChoiceProps) {
  const { media, version, renew, worked } = useRenewed(given)
  const blocked = settled || (!checked && (unsellable || full))
  const name = media.title || (media.type === 'video' ? tileTexts.video : tileTexts.photo)
  return (
    <div className={styles.choice} onErrorCapture={renew} onLoadCapture={worked}>
      <MediaTile
        version={version}
        ratio={1}
        sizes="10rem"
        media={{ ...media, picture: pictureOf(media), sources: sourcesOf(media), locked: false }}
        {...(checked
          ? {
              corner: (
                <span className={styles.choiceMark} aria-hidden>
                  <IconCheck size={18} stroke={2} />
                </span>
              ),
            }
          : {})}
      />
      {unsellable && <span className={styles.choiceFree}>{texts.free}</span>}
      <input
        type="checkbox"
        checked={checked}
        // The box that was just unticked keeps the focus, which a disabled one would lose.
        aria-disabled={blocked}
        onChange={() => !blocked && onToggle(media)}
        aria-label={unsellable ? `${name} (${texts.free})` : name}
      />
    </div>
  )
}
