import { keepAnswers } from './keepAnswers.ts'

keepAnswers('page')
