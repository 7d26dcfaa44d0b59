import { texts } from './texts.ts'
import '@mantine/dropzone/styles.layer.css'
import { Dropzone } from '@mantine/dropzone'
import { IconPhotoPlus } from '@tabler/icons-react'
import { ACCEPT } from '../parts/attachments/files.ts'
import styles from './FilePicker.module.css'

type FilePickerProps = {
  onFiles: (files: File[]) => void
  /** The picker was closed without a file. */
  onNone: () => void
}

/** Files by drop or by the system's picker. Files of another kind are passed on too, so that the list can say why not. */
export default function FilePicker({ onFiles, onNone }: FilePickerProps) {
  return (
    <Dropzone
      onDrop={(files: File[]) => onFiles(files)}
      onFileDialogCancel={onNone}
      multiple
      classNames={{ root: styles.root ?? '', inner: styles.inner ?? '' }}
      inputProps={{ accept: ACCEPT, 'aria-label': texts.choose }}
      aria-label={texts.chooseOrDrop}
    >
      <IconPhotoPlus size={36} stroke={1.25} aria-hidden className={styles.icon} />
      <p className={styles.title}>{texts.chooseOrDrop}</p>
      <p className={styles.hint}>{texts.chooseHint}</p>
    </Dropzone>
  )
}
