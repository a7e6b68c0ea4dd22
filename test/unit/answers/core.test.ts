import { keepAnswers } from './keepAnswers.ts'

keepAnswers('core')
