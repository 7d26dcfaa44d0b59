import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl } from '@mantine/core'
import { formatDate } from '../../../ui/format.ts'
import { MantineScope } from '../../../ui/theme/MantineScope.tsx'
import type { Media, MediaView } from '../api.ts'
import styles from './MediaDetail.module.css'
import { detailTexts as texts } from './texts.ts'

type VersionChoiceProps = {
  versions: MediaView['versions']
  shown: Media
  onChoose: (versionId: string) => void
}

/** A buyer's versions of an item whose file was replaced since: the one they bought, and the new one beside it. */
export function VersionChoice({ versions, shown, onChoose }: VersionChoiceProps) {
  const current = versions.find((version) => version.current)
  const oldestFirst = versions.toReversed()
  const theirs = oldestFirst.filter((version) => !version.current)
  return (
    <>
      <MantineScope>
        <SegmentedControl
          aria-label={texts.version}
          data={oldestFirst.map(({ versionId, current: isNew, addedAt }) => ({
            value: versionId,
            label: isNew
              ? texts.newVersion
              : theirs.length === 1
                ? texts.yourVersion
                : texts.yourVersionOf(formatDate(addedAt)),
          }))}
          value={shown.versionId ?? current?.versionId ?? ''}
          onChange={onChoose}
        />
      </MantineScope>
      <p className={styles.hint}>{texts.versionsHint}</p>
    </>
  )
}
