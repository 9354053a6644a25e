// The weights of the trained model that pages show, apart from the other data of lessons/: scripts
// that carry their files bring half a megabyte with this address.

export {default as weightsUrl} from '../../lessons/case/small-scaled.weights?url';
